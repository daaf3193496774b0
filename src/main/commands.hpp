#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/legacy_password.hpp"
#include "config/load.hpp"
#include "domain/ids.hpp"
#include "domain/user.hpp"

namespace sluice {

// One function for each subcommand. They return the exit code, and throw what they cannot handle:
// main() turns that into a message and exit code 1.

int serve(const Loaded& loaded, bool demo);
int migrate_command(const Config& config);
/// Once the configuration has been loaded.
int check_config(const std::optional<std::filesystem::path>& file);
int backup_command(const Config& config, const std::filesystem::path& to);
/// Refuses while a server runs; replaces what is there only when told to.
int restore_command(const Config& config, const std::filesystem::path& from, bool replace);
int mint(const Config& config, std::uint32_t buyers,
         const std::optional<std::filesystem::path>& out);

/// Returns 0 when every promise holds, 1 when one does not, 2 when that cannot be told.
int audit_command(const Config& config, std::optional<SaleId> sale, bool json);

struct UserCommand {
    enum class What { add, set_role, set_password, log_out } what;
    std::string phone;
    std::string name;
    Role role = Role::buyer;
};
/// Passwords come from the first line of standard input.
int user_command(const Config& config, const UserCommand& command);

enum class KeysCommand { rotate, rotate_and_drop, list };
int keys_command(const Config& config, KeysCommand command);

struct ImportCommand {
    std::filesystem::path file;
    const LegacyScheme* scheme = nullptr;
    bool skip_existing = false;
    bool dry_run = false;
};
/// All of the file or, if a line is wrong, nothing. Cut short, it may be repeated with
/// `skip_existing`.
int import_command(const Config& config, const ImportCommand& command);

}  // namespace sluice
