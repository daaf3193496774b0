#include <string_view>

#include <CLI/CLI.hpp>

#include "config/keys.hpp"
#include "main/description.hpp"

namespace sluice {
namespace {

/// Text that roff prints unchanged, line for line.
std::string plain(std::string_view text) {
    std::string out;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        line_start = c == '\n';
    }
    return out;
}

/// In an argument of a macro.
std::string argument(std::string_view text) {
    std::string out = "\"";
    for (const char c : plain(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return out + '"';
}

std::string heading(const CLI::Option& option) {
    if (option.get_positional()) return option.get_name(true);
    std::string text = option.get_name(false, true);
    for (std::size_t at = 0; (at = text.find(',', at)) != text.npos; at += 2)
        text.insert(at + 1, " ");
    if (option.get_expected_max() > 0) text += ' ' + option.get_type_name();
    return text;
}

void append_options(std::string& page, const CLI::App& command) {
    for (const auto* option : command.get_options()) {
        page += ".TP\n.B " + argument(heading(*option)) + '\n';
        page += plain(option->get_description()) + '\n';
        if (option->get_required()) page += "Required.\n";
    }
}

void append_paragraph(std::string& page, std::string_view text) {
    if (text.empty()) return;
    // The footer breaks its lines on purpose.
    page += ".PP\n.nf\n" + plain(text) + "\n.fi\n";
}

void append_command(std::string& page, const CLI::App& command, const std::string& path) {
    const auto below = command.get_subcommands({});
    if (below.empty()) {
        page += ".SS " + argument(path) + '\n' + plain(command.get_description()) + ".\n";
        append_options(page, command);
        append_paragraph(page, command.get_footer());
    }
    for (const auto* each : below) append_command(page, *each, path + ' ' + each->get_name());
}

void append_environment(std::string& page) {
    page +=
        ".SH ENVIRONMENT\n"
        "Each key of the configuration can be given as a variable, whose value wins over the "
        "file's "
        "and\ngives way to a flag. A variable that begins with SLUICE_ and is no key is an "
        "error.\n";
    for (const auto& key : keys())
        page += ".TP\n.B " + plain(key.variable()) + '\n' + plain(key.name) + '\n';
}

constexpr std::string_view kSignals =
    ".SH SIGNALS\n"
    ".TP\n.B SIGTERM, SIGINT\n"
    "The server takes nothing new, finishes what is under way and ends; a second one cuts off who "
    "is "
    "left.\n"
    ".TP\n.B SIGHUP\n"
    "The server reads its configuration again and puts [log] and [limits] into force. It looks at "
    "once for\nkeys and blocks. The log says what has changed and what waits for a restart; a "
    "configuration with a\nmistake changes nothing.\n"
    ".SH EXIT STATUS\n"
    "0 when it is done, 1 when it was refused or failed, 2 when the command line makes no sense. "
    "For "
    "audit:\n1 when a promise is broken, 2 when that cannot be told, also when Redis does not "
    "answer. "
    "For backup:\n3 when it was made, but breaks a promise.\n";

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string page = ".TH SLUICE 1 \"\" " + argument("Sluice " SLUICE_VERSION) +
                       " \"User Commands\"\n.ad l\n.SH NAME\nsluice \\- " +
                       plain(app.get_description()) +
                       "\n.SH SYNOPSIS\n.B sluice\n.I COMMAND\n[\n.I OPTIONS\n]\n.SH COMMANDS\n";
    for (const auto* command : app.get_subcommands({}))
        append_command(page, *command, app.get_name() + ' ' + command->get_name());
    append_environment(page);
    page += kSignals;
    return page;
}

}  // namespace sluice
