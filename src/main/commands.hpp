#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "domain/ids.hpp"
#include "domain/legacy_password.hpp"
#include "domain/user.hpp"

namespace sluice {

// One function for each subcommand. They return the exit code, and throw what they cannot handle:
// main() prints it and exits with 1.

struct ServeOptions {
    bool demo = false;
    bool trust_clock = false;  // the system's clock is right, whatever the note of the time says
};
int serve(const Loaded& loaded, const ServeOptions& options);
int migrate_command(const Config& config);
/// Once the configuration has been loaded.
int check_config(const std::optional<std::filesystem::path>& file);
/// Lists the settings that should not be used with customers; 1 when there are any.
int check_production(const Loaded& loaded);
int backup_command(const Config& config, const std::filesystem::path& to);
struct RestoreCommand {
    std::filesystem::path from;
    bool replace = false;             // what is there
    std::vector<std::string> accept;  // promises that the backup may break
};
/// Refuses while a server runs.
int restore_command(const Config& config, const RestoreCommand& command);
/// Copies the ledger of the configuration into one of the other kind: mariadb://… or sqlite:DIR.
/// Refuses while a server runs.
int move_command(const Config& config, const std::string& to);
int mint(const Config& config, std::uint32_t buyers,
         const std::optional<std::filesystem::path>& out);

struct AuditCommand {
    std::optional<SaleId> sale;
    bool json = false;
    bool repair =
        false;         // hot copies in Redis that do not heal by themselves; shows what it would do
    bool yes = false;  // and does it
};
/// Returns 0 when every promise holds, 1 when one does not, 2 when that cannot be checked.
int audit_command(const Config& config, const AuditCommand& command);

struct ArchiveCommand {
    std::uint32_t days = 90;  // since the sale ended
    std::optional<SaleId> sale;
    bool dry_run = false;
    std::optional<SaleId> bring_back;
};
/// Moves sales that ended long ago out of the ledger, or one of them back.
int archive_command(const Config& config, const ArchiveCommand& command);

struct UserCommand {
    enum class What { add, set_role, set_password, log_out, remove_second_factor } what;
    std::string phone;
    std::string name;
    Role role = Role::buyer;
};
/// Passwords come from the first line of standard input.
int user_command(const Config& config, const UserCommand& command);

/// Writes phones in their canonical form, and lists those that several accounts share.
int canonical_phones_command(const Config& config, bool dry_run);

enum class KeysCommand { rotate, rotate_and_drop, list };
int keys_command(const Config& config, KeysCommand command);

struct ImportCommand {
    std::filesystem::path file;
    const LegacyScheme* scheme = nullptr;
    bool skip_existing = false;
    bool dry_run = false;
};
/// Imports the whole file or, if a line is wrong, nothing. After an interruption it may be repeated
/// with `skip_existing`.
int import_command(const Config& config, const ImportCommand& command);

}  // namespace sluice
