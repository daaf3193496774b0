#include "adapters/transfer/load.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <mysqld_error.h>
#include <sodium.h>

#include "adapters/mariadb/archive/archive_faults.hpp"
#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/sql/ledgers/audit.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/transfer/dump.hpp"
#include "adapters/transfer/statements.hpp"
#include "adapters/transfer/tables.hpp"
#include "base/outage.hpp"

namespace sluice::transfer {
namespace {

using mariadb::Connection;

constexpr std::chrono::seconds kOthersLeaveWithin{2};

/// How far a load is. In each step the next one may have been begun.
///   emptying   what is in the tables does not count
///   loading    the tables hold the first rows of the source
///   recorded   all is there and proven
struct State {
    std::string step;
    LedgerDigest fingerprint;  // of the source
    std::string kept;          // the file with what was there before, or empty
};

/// Only one process loads a database at a time. The server releases the lock with the connection.
void lock_transfers(Connection& connection) {
    if (connection.value<std::int64_t>(statements::lock_transfers) != 1)
        throw TransferError("another move or restore into this database is running");
}

bool is_under_way(const mariadb::ServerAddress& address) {
    Connection connection(address, mariadb::kLongPatience);
    try {
        connection.connect();
    } catch (const mariadb::Error& error) {
        if (error.code() == ER_BAD_DB_ERROR) return false;
        throw;
    }
    return connection.has_row(statements::has_state);
}

void empty_tables(Connection& connection) {
    // TRUNCATE fires no trigger and starts counting anew.
    connection.run_script("SET SESSION foreign_key_checks = 0");
    for (const auto& table : tables()) connection.run_script("TRUNCATE TABLE " + table.name);
    for (const auto& table : archive_tables())
        connection.run_script("TRUNCATE TABLE archived_" + table.name);
    connection.run_script(
        "TRUNCATE TABLE earlier_tickets; TRUNCATE TABLE archived_earlier_tickets; "
        "SET SESSION foreign_key_checks = 1");
}

void audit(Connection& connection, Timestamp now) {
    connection.begin_snapshot();
    const ledgers::Audited audited{.ledger = connection,
                                   .archive = connection.archive(),
                                   .find_archive_faults = [&](std::optional<SaleId> sale) {
                                       return mariadb::find_archive_faults(connection, sale);
                                   }};
    const auto report = ledgers::audit(audited, std::nullopt, now).value();
    connection.run_script("COMMIT");
    const auto broken = std::ranges::find(report.checks, false, &AuditReport::Check::holds);
    if (broken != report.checks.end())
        throw TransferError("the copy breaks a promise, " + broken->name + ": " + broken->detail);
}

/// Needed by the audit: since when deeds are dated by their commit.
void copy_migrations(sqlite::Database& from, Connection& to) {
    using Migration = std::tuple<std::int64_t, std::string, std::int64_t>;
    to.run(statements::forget_former_migrations);
    for (const auto& [version, name, at] : from.rows<Migration>(statements::list_migrations))
        to.run(statements::add_former_migration, version, name, at);
}

std::optional<sqlite::Database> open_archive_beside(const std::filesystem::path& ledger) {
    const auto file = sqlite::archive_of(ledger);
    if (!std::filesystem::exists(file)) return std::nullopt;
    return sqlite::Database::open_bare(file);
}

/// Over both, so that a load continues only with the ledger and the archive with which it began.
LedgerDigest digest_of_both(const LedgerDigest& ledger, const LedgerDigest& archive) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, LedgerDigest{}.size());
    crypto_generichash_update(&state, ledger.data(), ledger.size());
    crypto_generichash_update(&state, archive.data(), archive.size());
    LedgerDigest both;
    crypto_generichash_final(&state, both.data(), both.size());
    return both;
}

class Load {
  public:
    Load(const LoadWish& wish, const Told& told)
        : wish_(wish),
          told_(told),
          source_(sqlite::Database::open_bare(wish.from)),
          archive_(open_archive_beside(wish.from)),
          target_(wish.to, mariadb::kLongPatience) {}

    Loaded run() {
        told_.step("reading the ledger");
        fingerprint_ = digest_of(sqlite_side(source_));
        if (archive_)
            fingerprint_ =
                digest_of_both(fingerprint_, digest_of(sqlite_side(*archive_), archive_tables()));
        open_target();
        if (!state_) begin();
        loaded_.rows = count_rows(sqlite_side(source_));
        if (archive_) loaded_.rows += count_rows(sqlite_side(*archive_), archive_tables());
        if (!state_->kept.empty()) loaded_.kept = state_->kept;
        if (state_->fingerprint != fingerprint_ || state_->step == "emptying") empty();
        if (state_->step == "loading") fill();
        told_.step("comparing the tables and triggers");
        mariadb::verify_objects(target_);
        target_.run_script(statements::drop_state);
        return loaded_;
    }

  private:
    /// Refuses a database that is not ours, before anything is changed.
    void open_target() {
        told_.step("preparing the database");
        if (!is_under_way(wish_.to)) mariadb::migrate(wish_.to);
        target_.connect();
        mariadb::check_settings(target_, 1);
        lock_transfers(target_);
        expect_no_others(target_);
        if (target_.has_row(statements::has_state)) {
            using Row = std::tuple<std::string, LedgerDigest, std::string>;
            if (auto row = target_.row<Row>(statements::read_state))
                state_ = State{std::get<0>(*row), std::get<1>(*row), std::get<2>(*row)};
            else  // killed before anything was changed
                target_.run_script(statements::drop_state);
        }
        loaded_.went_on = state_ && state_->fingerprint == fingerprint_;
    }

    void begin() {
        std::string kept;
        if (target_.value<bool>(statements::holds_something)) {
            if (!wish_.replace)
                throw TransferError(
                    wish_.to.text() + " holds something already, and is left as it is: " +
                    (wish_.keep.empty() ? "name an empty database"
                                        : "with --replace it is kept as a file, and the backup "
                                          "takes its place"));
            told_.step("keeping what is there");
            dump(wish_.to, backup_files(wish_.keep), wish_.now, told_);
            kept = wish_.keep;
        }
        target_.run_script(statements::make_state);
        target_.run(statements::begin_state, fingerprint_, kept);
        state_ = State{.step = "emptying", .fingerprint = fingerprint_, .kept = kept};
    }

    void set_step(const char* step) {
        target_.run(statements::set_step, std::string_view(step), fingerprint_);
        state_->step = step;
        state_->fingerprint = fingerprint_;
    }

    void empty() {
        told_.step("emptying the tables");
        set_step("emptying");
        empty_tables(target_);
        set_step("loading");
    }

    void fill() {
        told_.step("copying the rows");
        target_.run_script("SET @sluice_copies = 1");
        copy_rows(sqlite_side(source_), mariadb_side(target_), told_.rows);
        if (archive_)
            copy_rows(sqlite_side(*archive_), mariadb_archive_side(target_), told_.rows,
                      archive_tables());
        told_.step("comparing the rows");
        if (digest_of_target() != fingerprint_)
            throw TransferError("the rows in " + wish_.to.text() +
                                " are not those of the ledger: somebody else has written there");
        told_.step("proving the promises");
        copy_migrations(source_, target_);
        audit(target_, wish_.now);
        target_.run_script("SET @sluice_copies = NULL");
        target_.begin("REPEATABLE READ", to_millis(wish_.now), "");
        target_.run(statements::rename_ledger);
        if (wish_.deed) ledgers::add_deed(target_, *wish_.deed);
        set_step("recorded");
        target_.run_script("COMMIT");
    }

    LedgerDigest digest_of_target() {
        const auto ledger = digest_of(mariadb_side(target_));
        const auto archive = mariadb_archive_side(target_);
        if (archive_) return digest_of_both(ledger, digest_of(archive, archive_tables()));
        if (count_rows(archive, archive_tables()) == 0) return ledger;
        throw TransferError("somebody else has written into the archive of " + wish_.to.text());
    }

    const LoadWish& wish_;
    const Told& told_;
    sqlite::Database source_;
    std::optional<sqlite::Database> archive_;  // its archived sales, if there are any
    Connection target_;
    LedgerDigest fingerprint_{};
    std::optional<State> state_;
    Loaded loaded_;
};

}  // namespace

Loaded load(const LoadWish& wish, const Told& told) {
    try {
        return Load(wish, told).run();
    } catch (const StoreError& error) {
        throw TransferError(error.what());
    }
}

void expect_no_others(Connection& connection) {
    const auto deadline = std::chrono::steady_clock::now() + kOthersLeaveWithin;
    for (;;) {
        const auto others = connection.rows<std::string>(statements::list_others).to_vector();
        if (others.empty()) return;
        if (std::chrono::steady_clock::now() < deadline) {
            // The server may not have noticed yet that a connection has been closed.
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            continue;
        }
        std::string names;
        for (const auto& other : others) names.append(names.empty() ? "" : ", ").append(other);
        throw TransferError("others have the database open (" + names +
                            "): stop the servers that use it");
    }
}

}  // namespace sluice::transfer
