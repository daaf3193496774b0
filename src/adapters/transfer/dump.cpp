#include "adapters/transfer/dump.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>

#include <fcntl.h>
#include <unistd.h>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/proof.hpp"
#include "adapters/transfer/statements.hpp"
#include "base/flush_file.hpp"
#include "base/outage.hpp"

namespace sluice::transfer {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& doing) {
    throw TransferError(doing + ": " + std::strerror(errno));
}

void flush(const fs::path& path) {
    if (!flush_file(path)) fail("cannot flush " + path.string());
}

/// The unfinished copy. It is removed at the end of its scope unless it was given its name.
class Partial {
  public:
    explicit Partial(const fs::path& target) : file_(target.string() + ".partial") {
        const int created = ::open(file_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (created < 0 && errno == EEXIST)
            throw TransferError(file_.string() +
                                " exists: another backup is running, or one was killed; remove it");
        if (created < 0) fail("cannot create " + file_.string());
        ::close(created);
    }
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;
    ~Partial() {
        for (const char* suffix : {"", "-journal", "-wal", "-shm"})
            ::unlink((file_.string() + suffix).c_str());
    }

    const fs::path& file() const { return file_; }

    void become(const fs::path& target) {
        int renamed =
            ::renameat2(AT_FDCWD, file_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE);
        // Network filesystems do not support the flag; there the check at the beginning has to be
        // enough.
        if (renamed != 0 && errno == EINVAL) renamed = ::rename(file_.c_str(), target.c_str());
        if (renamed != 0) fail("cannot create " + target.string());
        flush(fs::absolute(target).parent_path());
    }

  private:
    const fs::path file_;
};

using MigrationRow = std::tuple<std::int64_t, std::string, std::int64_t>;

/// Needed by the audit: since when deeds are dated by their commit. A ledger that began on MariaDB
/// has no others.
void date_migrations(mariadb::Connection& from, sqlite::Database& to) {
    const auto former = from.rows<MigrationRow>(statements::list_former_migrations).to_vector();
    for (const auto& [version, name, at] : former)
        to.run(statements::sqlite_date_migration, version, name, at);
    if (!former.empty()) return;
    const auto own = from.value<MigrationRow>(statements::list_migrations);
    to.run(statements::sqlite_date_all_migrations, std::get<2>(own));
}

sqlite::Database make_target(const fs::path& file) {
    sqlite::migrate(file);
    auto target = sqlite::Database::open_bare(file);
    // It gets its name only when it is complete, so its pages need not be safe before.
    target.run_script(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF");
    return target;
}

void copy_ledger(mariadb::Connection& from, const fs::path& file, const Told& told) {
    auto target = make_target(file);
    const sqlite::WithoutTriggers quiet(target);
    copy_rows(mariadb_side(from), sqlite_side(target), told.rows);
    date_migrations(from, target);
    target.run(statements::sqlite_name_ledger,
               from.value<std::array<unsigned char, 16>>(statements::read_ledger_name));
}

/// With the rows of the sales and their items, because an archive is a whole database.
void copy_archive(mariadb::Connection& from, const fs::path& ledger, const fs::path& file,
                  const Told& told) {
    auto target = make_target(file);
    const sqlite::WithoutTriggers quiet(target);
    copy_rows(mariadb_archive_side(from), sqlite_side(target), told.rows, archive_tables());
    auto copy = sqlite::Database::open_bare(ledger);
    target.run("BEGIN");
    for (const auto sale : target.rows<SaleId>(statements::sqlite_list_copied).to_vector()) {
        sqlite::copy_rows(copy, target, sqlite::statements::item_of_sale, "items", sale);
        sqlite::copy_rows(copy, target, sqlite::statements::row_of_sale, "sales", sale);
    }
    target.run("COMMIT");
    date_migrations(from, target);
}

std::vector<AuditReport::Check> find_broken(const fs::path& ledger,
                                            const std::optional<Partial>& archive, Timestamp now) {
    auto copy = sqlite::Database::open_reader(ledger);
    if (archive) sqlite::read_archive_from(copy, archive->file());
    return sqlite::find_broken_promises(copy, ledger, now);
}

void expect_absent(const fs::path& file) {
    if (fs::exists(fs::symlink_status(file)))
        throw TransferError(file.string() + " exists and is not overwritten");
}

}  // namespace

DumpFiles backup_files(const fs::path& backup) {
    return {.ledger = backup, .archive = sqlite::archive_backup_of(backup)};
}

Dumped dump(const mariadb::ServerAddress& address, const DumpFiles& to, Timestamp now,
            const Told& told, const std::function<void(sqlite::Database&, const Dumped&)>& finish) {
    expect_absent(to.ledger);
    expect_absent(to.archive);
    try {
        mariadb::Connection from(address, mariadb::kLongPatience);
        from.connect();
        mariadb::verify_schema(from);
        Partial partial(to.ledger);
        std::optional<Partial> archive;
        Dumped dumped;
        told.step("copying the rows");
        from.begin_snapshot();
        dumped.rows = count_rows(mariadb_side(from));
        copy_ledger(from, partial.file(), told);
        if (sqlite::names_archived_sales(partial.file())) {
            dumped.rows += count_rows(mariadb_archive_side(from), archive_tables());
            archive.emplace(to.archive);
            copy_archive(from, partial.file(), archive->file(), told);
        }
        from.run_script("COMMIT");
        told.step("proving the promises");
        dumped.broken = find_broken(partial.file(), archive, now);
        {
            auto database = sqlite::Database::open_bare(partial.file());
            finish(database, dumped);
        }
        flush(partial.file());
        if (archive) {
            flush(archive->file());
            archive->become(to.archive);
        }
        partial.become(to.ledger);
        return dumped;
    } catch (const mariadb::SchemaError& error) {
        throw TransferError(address.text() + ": " + error.what());
    } catch (const StoreError& error) {
        throw TransferError("cannot copy " + address.text() + " to " + to.ledger.string() + ": " +
                            error.what());
    }
}

void take_over(sqlite::Database& copy, const Deed& deed) {
    copy.run("BEGIN");
    copy.run(statements::sqlite_rename_ledger);
    ledgers::add_deed(copy, deed);
    copy.run("COMMIT");
}

}  // namespace sluice::transfer
