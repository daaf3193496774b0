#include "adapters/sqlite/upkeep/backup.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/archive/archive_faults.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "base/flush_file.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr int kPagesAtOnce = 1'024;

/// The unfinished copy. It is removed at the end of its scope unless it was given its name.
class Partial {
  public:
    explicit Partial(const fs::path& target) : file_(target.string() + ".partial") {
        const int created = ::open(file_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (created < 0 && errno == EEXIST)
            throw BackupError(file_.string() +
                              " exists: another backup is running, or one was killed; remove it");
        if (created < 0) fail_backup("cannot create " + file_.string());
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
        if (renamed != 0) fail_backup("cannot create " + target.string());
    }

  private:
    fs::path file_;
};

void copy(Database& source, Database& target, const std::function<void(int, int)>& progress) {
    struct Finish {
        void operator()(sqlite3_backup* under_way) const { sqlite3_backup_finish(under_way); }
    };
    const std::unique_ptr<sqlite3_backup, Finish> under_way(
        sqlite3_backup_init(target.handle(), "main", source.handle(), "main"));
    if (!under_way) throw BackupError(sqlite3_errmsg(target.handle()));
    for (;;) {
        const int code = sqlite3_backup_step(under_way.get(), kPagesAtOnce);
        const int total = sqlite3_backup_pagecount(under_way.get());
        if (progress) progress(total - sqlite3_backup_remaining(under_way.get()), total);
        if (code == SQLITE_DONE) return;
        if (code != SQLITE_OK) throw BackupError(sqlite3_errstr(code));
    }
}

void check(Database& database) {
    const auto verdict = database.row<std::string>("PRAGMA quick_check(1)").value_or("no answer");
    if (verdict != "ok") throw BackupError("the copy is damaged: " + verdict);
}

void flush(const fs::path& path) {
    if (!flush_file(path)) fail_backup("cannot flush " + path.string());
}

/// A copy of one instant, as one file without companion files; whoever opens it as a ledger makes
/// it WAL again.
void copy_checked(const fs::path& from, const fs::path& to,
                  const std::function<void(int, int)>& progress) {
    auto source = Database::open_reader(from);
    // A copy outside a transaction starts again when another process commits, for ever beside a
    // busy writer. Inside a transaction it reads one snapshot.
    source.run("BEGIN");
    source.run("SELECT count(*) FROM sqlite_schema");
    {
        auto target = Database::open_bare(to);
        copy(source, target, progress);
        target.run("PRAGMA journal_mode = DELETE");
        check(target);
    }
    flush(to);
}

/// The archive is copied after the ledger, so it contains everything that this copy of the ledger
/// calls archived.
void copy_archive(const fs::path& from, const fs::path& ledger_copy, const fs::path& to,
                  const std::function<void(int, int)>& progress) {
    if (!fs::exists(archive_of(from)))
        throw BackupError(archive_of(from).string() + " is missing, and sales are archived in it");
    copy_checked(archive_of(from), to, progress);
    auto ledger = Database::open_bare(ledger_copy);
    auto archive = Database::open_bare(to);
    const auto faults = find_archive_faults(ledger, &archive, std::nullopt);
    if (!faults.empty())
        throw BackupError("the archive cannot be backed up: " + text_of(faults.front()));
}

void expect_absent(const fs::path& file) {
    if (fs::exists(fs::symlink_status(file)))
        throw BackupError(file.string() + " exists and is not overwritten");
}

}  // namespace

void fail_backup(const std::string& doing) {
    throw BackupError(doing + ": " + std::strerror(errno));
}

bool names_archived_sales(const fs::path& ledger) {
    auto opened = Database::open_bare(ledger);
    return opened.has_row(statements::knows_archive) &&
           opened.has_row(sql::list_archived, std::nullopt);
}

fs::path archive_backup_of(const fs::path& backup) {
    return backup.string() + ".archive";
}

void copy_database(const fs::path& from, const fs::path& to) {
    expect_absent(to);
    try {
        Partial partial(to);
        copy_checked(from, partial.file(), {});
        partial.become(to);
    } catch (const Error& error) {
        throw BackupError("cannot copy " + from.string() + ": " + error.what());
    }
}

void backup(const fs::path& from, const fs::path& to,
            const std::function<void(int done_pages, int total_pages)>& progress) {
    expect_absent(to);
    expect_absent(archive_backup_of(to));
    try {
        Partial partial(to);
        copy_checked(from, partial.file(), progress);
        if (names_archived_sales(partial.file())) {
            Partial archive(archive_backup_of(to));
            copy_archive(from, partial.file(), archive.file(), progress);
            archive.become(archive_backup_of(to));
        }
        partial.become(to);
        flush(fs::absolute(to).parent_path());
    } catch (const Error& error) {
        throw BackupError("cannot copy " + from.string() + ": " + error.what());
    }
}

}  // namespace sluice::sqlite
