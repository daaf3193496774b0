#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>

#include "main/description.hpp"

namespace sluice {
namespace {

/// What may follow a command, by the words that lead to it: `sluice user add`.
struct Place {
    struct Word {
        std::string text, description;
    };
    std::vector<Word> commands, options;
    std::map<std::string, std::vector<std::string>> choices;  // by option: the values it takes
    std::vector<std::string> values;                          // of a positional with fixed values
    bool files = false;                                       // a positional that is a file
};
using Places = std::map<std::string, Place>;

/// CLI11 writes the values that an option accepts into its type, in braces.
std::vector<std::string> choices_of(const CLI::Option& option) {
    const auto type = option.get_type_name();
    const auto begin = type.find('{'), end = type.find('}');
    if (begin == type.npos || end == type.npos) return {};
    std::istringstream list(type.substr(begin + 1, end - begin - 1));
    std::vector<std::string> words;
    for (std::string word; std::getline(list, word, ',');) words.push_back(word);
    return words;
}

/// On one line.
std::string description_of(const CLI::Option& option) {
    auto text = option.get_description();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

void gather(const CLI::App& command, const std::string& path, Places& places) {
    auto& place = places[path];
    for (const auto* option : command.get_options()) {
        const auto choices = choices_of(*option);
        if (option->get_positional()) {
            place.values = choices;
            place.files = choices.empty();
            continue;
        }
        for (const auto& name : option->get_lnames()) {
            place.options.push_back({"--" + name, description_of(*option)});
            if (!choices.empty()) place.choices["--" + name] = choices;
        }
    }
    for (const auto* each : command.get_subcommands({})) {
        place.commands.push_back({each->get_name(), each->get_description()});
        gather(*each, path + ' ' + each->get_name(), places);
    }
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string joined(const std::vector<Place::Word>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word.text;
    return text;
}

/// The command that the words before the cursor name: the words that are no options, as far as they
/// are commands. bash and zsh both read this. It is stored in `at`, since `path` is PATH in zsh.
std::string path_cases(const Places& places) {
    std::string text = "        case \"$at $word\" in\n            ";
    bool first = true;
    for (const auto& [path, place] : places) {
        for (const auto& command : place.commands) {
            text += (first ? "\"" : "|\"") + path + ' ' + command.text + '"';
            first = false;
        }
    }
    return text + ") at=\"$at $word\" ;;\n        esac\n";
}

std::string bash_script(const Places& places) {
    std::string script =
        "# bash completion for sluice; made by `sluice completion bash`\n"
        "_sluice() {\n"
        "    local at=sluice word words= files= i\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        word=${COMP_WORDS[i]}\n" +
        path_cases(places) +
        "    done\n"
        "    case \"$at $before\" in\n";
    for (const auto& [path, place] : places)
        for (const auto& [option, choices] : place.choices)
            script +=
                "        \"" + path + ' ' + option + "\") words='" + joined(choices) + "' ;;\n";
    script += "        *) case \"$at\" in\n";
    for (const auto& [path, place] : places)
        script += "            \"" + path + "\") words='" + joined(place.commands) + ' ' +
                  joined(place.values) + ' ' + joined(place.options) + " --help'" +
                  (place.files ? " files=yes" : "") + " ;;\n";
    script +=
        "        esac ;;\n"
        "    esac\n"
        "    case \"$before\" in\n"
        "        --config|--out|--data|--report|--tokens) words= files=yes ;;\n"
        "    esac\n"
        // Some values have parentheses, which the shell reads as its own unless they are escaped.
        "    current=${current//\\\\/}\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    for i in \"${!COMPREPLY[@]}\"; do\n"
        "        printf -v \"COMPREPLY[i]\" %q \"${COMPREPLY[i]}\"\n"
        "    done\n"
        "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
        "}\n"
        "complete -F _sluice sluice\n";
    return script;
}

/// In single quotes for zsh and fish.
std::string single_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

/// Each in quotes of its own, because some have parentheses.
std::string single_quoted(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += ' ' + single_quoted(word);
    return text;
}

std::string described(const std::vector<Place::Word>& words) {
    std::string text;
    for (const auto& word : words) {
        std::string entry = word.text + ':';
        for (const char c : word.description)
            entry += c == ':' ? std::string("\\:") : std::string(1, c);
        text += ' ' + single_quoted(entry);
    }
    return text;
}

std::string zsh_script(const Places& places) {
    std::string script =
        "#compdef sluice\n"
        "# made by `sluice completion zsh`\n"
        "_sluice() {\n"
        "    local at=sluice word\n"
        "    local -a commands options\n"
        "    for word in ${words[2,CURRENT-1]}; do\n" +
        path_cases(places) +
        "    done\n"
        "    case \"$at ${words[CURRENT-1]}\" in\n";
    for (const auto& [path, place] : places)
        for (const auto& [option, choices] : place.choices)
            script += "        \"" + path + ' ' + option + "\") compadd --" +
                      single_quoted(choices) + "; return ;;\n";
    script +=
        "        *\" --config\"|*\" --out\"|*\" --data\") _files; return ;;\n"
        "    esac\n"
        "    case \"$at\" in\n";
    for (const auto& [path, place] : places)
        script += "        \"" + path + "\") commands=(" + described(place.commands) +
                  "); options=(" + described(place.options) + ")" +
                  (place.values.empty() ? "" : "; compadd --" + single_quoted(place.values)) +
                  (place.files ? "; _files" : "") + " ;;\n";
    // From a folder of $fpath the file is run as the function, at the first completion.
    return script +
           "    esac\n"
           "    _describe 'command' commands\n"
           "    _describe -o 'option' options\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _sluice ]; then _sluice \"$@\"; else compdef _sluice sluice; "
           "fi\n";
}

/// fish evaluates the text in the quotes once more, and runs what it finds in parentheses.
std::string quoted_for_fish(const std::vector<std::string>& words) {
    std::string text;
    for (const char c : joined(words)) {
        if (c == '(' || c == ')') text += '\\';
        text += c;
    }
    return single_quoted(text);
}

std::string fish_script(const Places& places) {
    std::string script = "# fish completion for sluice; made by `sluice completion fish`\n";
    for (const auto& [path, place] : places) {
        // `sluice user add`: user and add were typed, and no other word that is a command there.
        std::string condition;
        for (std::size_t at = path.find(' '); at != path.npos;) {
            const auto end = path.find(' ', at + 1);
            condition += (condition.empty() ? "" : "; and ") +
                         ("__fish_seen_subcommand_from " +
                          path.substr(at + 1, end == path.npos ? end : end - at - 1));
            at = end;
        }
        if (!place.commands.empty())
            condition += (condition.empty() ? "" : "; and ") +
                         ("not __fish_seen_subcommand_from " + joined(place.commands));
        const auto line = "complete -c sluice -n " + single_quoted(condition);
        for (const auto& command : place.commands)
            script += line + " -f -a " + command.text + " -d " +
                      single_quoted(command.description) + '\n';
        if (!place.values.empty())
            script += line + " -f -a " + quoted_for_fish(place.values) + '\n';
        for (const auto& option : place.options) {
            script +=
                line + " -l " + option.text.substr(2) + " -d " + single_quoted(option.description);
            if (const auto choices = place.choices.find(option.text);
                choices != place.choices.end())
                script += " -x -a " + quoted_for_fish(choices->second);
            script += '\n';
        }
    }
    return script;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
    Places places;
    gather(app, app.get_name(), places);
    if (shell == "bash") return bash_script(places);
    return shell == "zsh" ? zsh_script(places) : fish_script(places);
}

}  // namespace sluice
