#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace sluice {

// Texts that are made from the command line's own description.

/// The complaint about an unknown subcommand, with the one that was probably meant; nothing when
/// all are known.
std::optional<std::string> unknown_subcommand(const CLI::App& app, int argc,
                                              const char* const* argv);

/// As a page for man(1), in roff.
std::string manual_page(const CLI::App& app);

/// A script that completes commands and options. `shell` is bash, zsh or fish.
std::string completion_script(const CLI::App& app, const std::string& shell);

/// Adds the subcommands `man` and `completion`, which print the texts above.
void add_description_commands(CLI::App& app);

/// Fails when something that was printed could not be written, such as on a full disk.
void finish_output();

}  // namespace sluice
