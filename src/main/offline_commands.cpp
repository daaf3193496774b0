#include <algorithm>
#include <cstdio>
#include <iostream>

#include <unistd.h>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/proof.hpp"
#include "adapters/system/shop_clock.hpp"
#include "adapters/transfer/dump.hpp"
#include "app/accounts/register_user.hpp"
#include "app/catalog/json_view.hpp"
#include "base/run_to_end.hpp"
#include "config/production.hpp"
#include "domain/password.hpp"
#include "main/commands.hpp"
#include "main/description.hpp"
#include "main/mariadb_address.hpp"
#include "main/store.hpp"
#include "main/transfer_progress.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

std::string first_line_of_stdin() {
    std::string line;
    if (!std::getline(std::cin, line))
        throw std::runtime_error(
            "no password on standard input; try: echo PASSWORD | sluice user … --password-stdin");
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

int explain(const Refusal& refusal) {
    for (const auto& error : refusal.errors)
        std::fprintf(stderr, "sluice: %s %s\n", error.field.c_str(),
                     text_of(error.complaint).c_str());
    return 1;
}

int tell_taken(const UserCommand& command) {
    std::fprintf(stderr, "sluice: the phone %s is taken\n", command.phone.c_str());
    return 1;
}

int add_user(Store& store, const PhoneForm& form, const UserCommand& command) {
    RegisterUser registration(store.ledger.users(), form, store.hasher, store.clock, store.ids);
    const auto password = first_line_of_stdin();
    const auto user = registration.draft(command.phone, password, command.name, command.role);
    if (!user) return explain(user.error());
    if (run_to_end(registration.expect_free(command.phone))) return tell_taken(command);
    const Account account{.user = *user, .password_hash = store.hasher.hash_now(password)};
    const auto taken = run_to_end(store.ledger.users().add_free(
        {account},
        store.command_line.make_deed("user.add", user->id.text(), "", role_json(user->role))));
    if (!taken.empty()) return tell_taken(command);
    std::printf("%s\n", user->id.text().c_str());
    return 0;
}

int change_user(Store& store, const PhoneForm& form, const UserCommand& command) {
    PhoneBook book(store.ledger.users(), form);
    const auto account = run_to_end(book.find(command.phone));
    if (!account) {
        std::fprintf(stderr, "sluice: there is no user with the phone %s\n", command.phone.c_str());
        return 1;
    }
    const auto id = account->user.id;
    const auto make_deed = [&](const char* action, std::string before, std::string after) {
        return store.command_line.make_deed(action, id.text(), std::move(before), std::move(after));
    };
    if (command.what == UserCommand::What::set_role) {
        if (account->user.role == command.role) return 0;
        auto deed = make_deed("user.role", role_json(account->user.role), role_json(command.role));
        return run_to_end(store.ledger.users().set_role(id, command.role, std::move(deed))) ? 0 : 1;
    }
    if (command.what == UserCommand::What::log_out) {
        const auto ended =
            run_to_end(store.ledger.sessions().remove_all(id, make_deed("user.log_out", "", "")));
        std::printf("%zu sessions ended\n", ended.size());
        return 0;
    }

    if (command.what == UserCommand::What::remove_second_factor) {
        const bool removed = run_to_end(
            store.ledger.second_factors().remove(id, make_deed("user.second_factor_off", "", "")));
        std::printf(removed ? "the second factor is removed\n" : "there was no second factor\n");
        return 0;
    }

    const auto password = first_line_of_stdin();
    if (auto complaint = check_new_password(password, {account->user.phone, account->user.name}))
        return explain(
            Refusal{Reason::invalid, Detail::none, {{"password", std::move(*complaint)}}, {}});
    return run_to_end(store.ledger.users().set_password_hash(id, store.hasher.hash_now(password),
                                                             make_deed("user.password", "", "")))
               ? 0
               : 1;
}

int migrate_mariadb(const Config& config) {
    const DataFolder folder(config.data);  // the keys will be there, whatever the ledger is
    const auto address = mariadb_address(config);
    const auto report = mariadb::migrate(address);
    for (const auto& name : report.applied) std::printf("applied %s\n", name.c_str());
    std::printf("%s is at version %zu\n", address.text().c_str(), report.version);
    return 0;
}

/// Exit code: a backup was made, but it does not keep every promise.
constexpr int kUnproven = 3;

int tell_of_broken(const std::vector<AuditReport::Check>& broken) {
    for (const auto& check : broken)
        std::fprintf(stderr,
                     "sluice: the ledger breaks a promise, %s: %s (a restore asks for --accept "
                     "\"%s\")\n",
                     check.name.c_str(), check.detail.c_str(), check.name.c_str());
    return broken.empty() ? 0 : kUnproven;
}

int back_up_mariadb(const Config& config, const std::filesystem::path& to) {
    expect_ledger(config);
    const ShopClock clock({.note = config.data / "shop.clock"});
    const auto dumped = transfer::dump(mariadb_address(config), transfer::backup_files(to),
                                       clock.now(), report_on_stderr());
    std::printf("%s\n", to.c_str());
    return tell_of_broken(dumped.broken);
}

/// A copy of an older ledger is as good as the ledger. It can be proven only after a migration.
bool lacks_migrations(const std::filesystem::path& backup) {
    auto database = sqlite::Database::open_reader(backup);
    return !sqlite::has_all_migrations(database);
}

/// The backup exists; returns whether it can be restored as it is, as an exit code.
int prove_backup(const std::filesystem::path& backup, Timestamp now) {
    try {
        return tell_of_broken(sqlite::find_broken_promises(backup, now));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sluice: the backup is not proven: %s\n", error.what());
        return lacks_migrations(backup) ? 0 : kUnproven;
    }
}

}  // namespace

int migrate_command(const Config& config) {
    if (config.ledger.kind == LedgerKind::mariadb) return migrate_mariadb(config);
    finish_restore(config.data);
    const DataFolder folder(config.data);
    const auto report = sqlite::migrate(folder.database());
    sqlite::migrate_archive(folder.database());
    for (const auto& name : report.applied) std::printf("applied %s\n", name.c_str());
    std::printf("%s is at version %zu\n", folder.database().c_str(), report.version);
    return 0;
}

int check_config(const std::optional<std::filesystem::path>& file) {
    std::printf("%s is fine\n", file ? file->c_str() : "the configuration");
    return 0;
}

int check_production(const Loaded& loaded) {
    const auto findings = find_unfit_for_customers(loaded, ::geteuid() == 0);
    for (const auto& finding : findings) {
        const auto where = finding.place.empty() ? finding.key : finding.place + ": " + finding.key;
        std::printf("%s%s: %s. Write: %s\n", finding.is_note ? "note: " : "", where.c_str(),
                    finding.reason.c_str(), finding.line.c_str());
    }
    const bool is_fit = std::ranges::all_of(findings, &Finding::is_note);
    if (is_fit) std::printf("nothing stands against customers\n");
    finish_output();
    return is_fit ? 0 : 1;
}

int backup_command(const Config& config, const std::filesystem::path& to) {
    if (config.ledger.kind == LedgerKind::mariadb) return back_up_mariadb(config, to);
    finish_restore(config.data);
    expect_database(config.data);
    sqlite::backup(config.data / "sluice.db", to, [](int done, int total) {
        std::fprintf(stderr, "\rcopied %d of %d pages", done, total);
    });
    std::fprintf(stderr, "\n");
    std::printf("%s\n", to.c_str());
    const ShopClock clock({.note = config.data / "shop.clock"});
    return prove_backup(to, clock.now());
}

int user_command(const Config& config, const UserCommand& command) {
    const bool adds = command.what == UserCommand::What::add;
    Store store(config, adds ? Store::IfAbsent::make : Store::IfAbsent::fail);
    const PhoneForm form(find_country(config.accounts.country));
    return adds ? add_user(store, form, command) : change_user(store, form, command);
}

}  // namespace sluice
