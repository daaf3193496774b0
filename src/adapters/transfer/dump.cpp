#include "adapters/transfer/dump.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>

#include <fcntl.h>
#include <unistd.h>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
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

/// The unfinished copy: gone at the end of its scope, unless it was given its name.
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
        // Network filesystems do not know the flag; there the look at the start has to do.
        if (renamed != 0 && errno == EINVAL) renamed = ::rename(file_.c_str(), target.c_str());
        if (renamed != 0) fail("cannot create " + target.string());
        flush(fs::absolute(target).parent_path());
    }

  private:
    const fs::path file_;
};

using MigrationRow = std::tuple<std::int64_t, std::string, std::int64_t>;

/// What the audit asks for: when deeds began to be dated by their commit. A ledger that began on
/// MariaDB never had others.
void date_migrations(mariadb::Connection& from, sqlite::Database& to) {
    const auto former = from.rows<MigrationRow>(statements::list_former_migrations).to_vector();
    for (const auto& [version, name, at] : former)
        to.run(statements::sqlite_date_migration, version, name, at);
    if (!former.empty()) return;
    const auto own = from.value<MigrationRow>(statements::list_migrations);
    to.run(statements::sqlite_date_all_migrations, std::get<2>(own));
}

void copy_ledger(mariadb::Connection& from, const fs::path& file, const Told& told) {
    sqlite::migrate(file);
    auto target = sqlite::Database::open_bare(file);
    // Whoever reads it finds it complete or not at all, so its pages need not be safe before.
    target.run_script("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF");
    const sqlite::WithoutTriggers quiet(target);
    copy_rows(mariadb_side(from), sqlite_side(target), told.rows);
    date_migrations(from, target);
    target.run(statements::sqlite_name_ledger,
               from.value<std::array<unsigned char, 16>>(statements::read_ledger_name));
}

void expect_absent(const fs::path& file) {
    if (fs::exists(fs::symlink_status(file)))
        throw TransferError(file.string() + " exists and is not overwritten");
}

}  // namespace

Dumped dump(const mariadb::ServerAddress& address, const fs::path& to, Timestamp now,
            const Told& told, const std::function<void(sqlite::Database&, const Dumped&)>& finish) {
    expect_absent(to);
    try {
        mariadb::Connection from(address, mariadb::kLongPatience);
        from.connect();
        mariadb::verify_schema(from);
        Partial partial(to);
        Dumped dumped;
        told.step("copying the rows");
        from.begin_snapshot();
        dumped.rows = count_rows(mariadb_side(from));
        copy_ledger(from, partial.file(), told);
        from.run_script("COMMIT");
        told.step("proving the promises");
        dumped.broken = sqlite::find_broken_promises(partial.file(), now);
        {
            auto database = sqlite::Database::open_bare(partial.file());
            finish(database, dumped);
        }
        flush(partial.file());
        partial.become(to);
        return dumped;
    } catch (const mariadb::SchemaError& error) {
        throw TransferError(address.text() + ": " + error.what());
    } catch (const StoreError& error) {
        throw TransferError("cannot copy " + address.text() + " to " + to.string() + ": " +
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
