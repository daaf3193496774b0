#include "main/description.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <CLI/CLI.hpp>

#include "config/nearest.hpp"

namespace sluice {
namespace {

std::vector<std::string> names_below(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

std::optional<std::string> unknown_subcommand(const CLI::App& app, int argc,
                                              const char* const* argv) {
    const auto* command = &app;
    auto path = app.get_name();
    for (int i = 1; i < argc && !command->get_subcommands({}).empty(); ++i) {
        const std::string word = argv[i];
        if (word.starts_with('-')) return std::nullopt;
        const auto below = command->get_subcommands({});
        const auto next =
            std::ranges::find(below, word, [](const CLI::App* each) { return each->get_name(); });
        if (next == below.end()) {
            auto message = word + " is not a subcommand of " + path;
            if (const auto meant = nearest(word, names_below(*command)))
                message += " (did you mean " + *meant + "?)";
            return message + "\nRun " + path + " --help for those there are.";
        }
        command = *next;
        path += ' ' + word;
    }
    return std::nullopt;
}

void add_description_commands(CLI::App& app) {
    auto* manual = app.add_subcommand("man", "Print the manual page: sluice man | man -l -");
    manual->callback([&app] { print(manual_page(app)); });

    auto* completion =
        app.add_subcommand("completion", "Print a script that completes commands and options");
    const auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "The shell that runs it")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->footer(
        "bash: source <(sluice completion bash)\n"
        "zsh:  sluice completion zsh > a folder of $fpath, as _sluice\n"
        "fish: sluice completion fish > ~/.config/fish/completions/sluice.fish");
    completion->callback([&app, shell] { print(completion_script(app, *shell)); });
}

void finish_output() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw std::runtime_error(std::string("cannot write to standard output: ") +
                             std::strerror(errno));
}

}  // namespace sluice
