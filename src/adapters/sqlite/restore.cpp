#include "adapters/sqlite/restore.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "adapters/sqlite/audit.hpp"
#include "adapters/sqlite/backup.hpp"
#include "adapters/sqlite/migrate.hpp"
#include "adapters/sqlite/statements.hpp"
#include "adapters/sqlite/trail.hpp"
#include "base/flush_file.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;
using Progress = std::function<void(std::string_view step)>;

[[noreturn]] void fail(const std::string& doing) {
    throw RestoreError(doing + ": " + std::strerror(errno));
}

bool is_there(const fs::path& file) {
    return fs::exists(fs::symlink_status(file));
}

fs::path beside(const fs::path& file, std::string_view suffix) {
    return file.string() + std::string(suffix);
}

void remove_draft(const fs::path& draft) {
    for (const auto* suffix : {"", "-wal", "-shm", "-journal", ".partial", ".partial-journal"})
        ::unlink(beside(draft, suffix).c_str());
}

void flush(const fs::path& path) {
    if (!flush_file(path)) fail("cannot flush " + path.string());
}

/// What went wrong with the draft is the backup's fault.
std::string naming(const fs::path& from, const fs::path& draft, std::string message) {
    if (message.starts_with(draft.string()))
        message.replace(0, draft.string().size(), from.string());
    return message;
}

/// A file that lost its end on the way. What it says of its own size is in its head: the size of a
/// page at byte 16, the number of pages at byte 28.
void expect_its_end(const fs::path& file, const std::array<char, 100>& head) {
    const auto byte = [&](std::size_t at) {
        return std::uint64_t{static_cast<unsigned char>(head[at])};
    };
    const auto page = byte(16) << 8 | byte(17);
    const auto pages = byte(28) << 24 | byte(29) << 16 | byte(30) << 8 | byte(31);
    const auto whole = pages * (page == 1 ? 65'536 : page);
    const auto size = fs::file_size(file);
    if (size < whole)
        throw RestoreError(file.string() + " is cut off: " + std::to_string(size) + " of " +
                           std::to_string(whole) + " bytes are there; copy it again");
}

/// The file's own words: opening it as a database could already change it.
void expect_backup(const fs::path& file) {
    constexpr std::string_view magic("SQLite format 3\0", 16);
    constexpr std::size_t read_version = 19;  // 1: a journal beside it at most, 2: a log
    std::array<char, 100> head{};
    std::ifstream in(file, std::ios::binary);
    if (!in) fail("cannot read " + file.string());
    in.read(head.data(), head.size());
    if (!in || std::string_view(head.data(), magic.size()) != magic)
        throw RestoreError(file.string() + " is not a backup: it is not a database");
    if (head[read_version] != 1 || is_there(beside(file, "-wal")) ||
        is_there(beside(file, "-journal")))
        throw RestoreError(file.string() +
                           " is a database that is or was in use, not a backup: make one of it "
                           "with `sluice backup`");
    expect_its_end(file, head);
}

void expect_whole(Database& database, const fs::path& from) {
    {
        auto row = database.query("PRAGMA integrity_check(1)");
        const auto verdict = row.step() ? row.column<std::string>(0) : "no answer";
        if (verdict != "ok") throw RestoreError(from.string() + " is damaged: " + verdict);
    }
    auto orphan = database.query("PRAGMA foreign_key_check");
    if (orphan.step())
        throw RestoreError(from.string() + " is damaged: a row of " +
                           orphan.column<std::string>(0) + " names one that is not there");
}

/// How many migrations it lacked.
std::size_t bring_up_to_date(const fs::path& draft, const fs::path& from) {
    const auto report = migrate(draft);
    if (report.applied.size() == report.version)
        throw RestoreError(from.string() + " is not a backup of sluice: it is empty");
    return report.applied.size();
}

void expect_promises_hold(const fs::path& draft, const fs::path& from, Timestamp now) {
    const auto report = audit(draft, std::nullopt, now).value();
    for (const auto& check : report.checks)
        if (!check.holds)
            throw RestoreError(from.string() + " breaks a promise, " + check.name + ": " +
                               check.detail);
}

/// One file without companions again.
void fold_log_in(Database& database) {
    auto mode = database.query("PRAGMA journal_mode = DELETE");
    if (!mode.step() || mode.column<std::string>(0) != "delete")
        throw Error(SQLITE_BUSY, "the database is locked");
}

/// The database that is there, held so that nobody can begin to use it.
class Incumbent {
  public:
    explicit Incumbent(const fs::path& file) : database_(Database::open_bare(file)) {
        sqlite3_busy_timeout(database_.handle(), 0);
        // Leaving the log behind is granted only when nobody else has the database open.
        fold_log_in(database_);
        database_.run("BEGIN EXCLUSIVE");
    }

    bool holds_something() {
        auto row = database_.query(sql::holds_something);
        return row.step() && row.column<bool>(0);
    }

  private:
    Database database_;
};

Incumbent take_over(const fs::path& file) try {
    return Incumbent(file);
} catch (const Error& error) {
    if ((error.code() & 0xff) == SQLITE_BUSY)
        throw RestoreError("another process is using " + file.string() +
                           ": wait until it has ended");
    throw RestoreError("the database that is there cannot be kept as it is (" +
                       std::string(error.what()) + "): move " + file.string() +
                       ", and what is called like it with -wal and -shm, elsewhere, and try again");
}

bool holds_something(Incumbent& incumbent) {
    try {
        return incumbent.holds_something();
    } catch (const Error&) {
        return true;  // by all means something that is not ours to throw away
    }
}

fs::path name_for_kept(const fs::path& file, Timestamp now) {
    auto stamp = to_rfc3339(now);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == '.'; });
    return beside(file, ".before-" + stamp);
}

/// Refuses when somebody else uses it, or when it would be lost against the operator's will.
Incumbent take_over_if_allowed(const RestoreWish& wish) {
    auto incumbent = take_over(wish.to);
    if (!wish.replace && holds_something(incumbent))
        throw RestoreError(wish.to.string() +
                           " holds something already: with --replace it is kept under another "
                           "name, and the backup takes its place");
    return incumbent;
}

void prepare(const fs::path& draft, const RestoreWish& wish, Restored& restored,
             const Progress& progress) {
    progress("copying");
    backup(wish.from, draft, {});
    {
        progress("checking every page");
        auto database = Database::open_bare(draft);
        expect_whole(database, wish.from);
    }
    progress("bringing it up to date");
    restored.migrations = bring_up_to_date(draft, wish.from);
    progress("proving the promises");
    expect_promises_hold(draft, wish.from, wish.now);
    progress("ending its sessions");
    auto database = Database::open_bare(draft);
    database.run(sql::end_all_sessions);
    add_deed(database, wish.deed);
    fold_log_in(database);
}

/// The old database gets a second name first, so that there is no moment without one in its place.
void put_in_place(const fs::path& draft, const RestoreWish& wish, Restored& restored,
                  const Progress& progress) {
    std::optional<Incumbent> incumbent;
    if (is_there(wish.to)) {
        progress("taking the old database over");
        incumbent.emplace(take_over_if_allowed(wish));
        restored.kept = name_for_kept(wish.to, wish.now);
        progress("keeping the old database");
        if (::link(wish.to.c_str(), restored.kept->c_str()) != 0)
            fail("cannot keep the old database as " + restored.kept->string());
    }
    progress("putting it in place");
    if (::rename(draft.c_str(), wish.to.c_str()) != 0) {
        const int reason = errno;
        if (restored.kept) ::unlink(restored.kept->c_str());
        errno = reason;
        fail("cannot put " + wish.to.string() + " in place");
    }
}

}  // namespace

Restored restore(const RestoreWish& wish, const Progress& progress) {
    const auto draft = beside(wish.to, ".restoring");
    Restored restored;
    try {
        expect_backup(wish.from);
        if (is_there(wish.to))
            take_over_if_allowed(wish);
        else if (is_there(beside(wish.to, "-wal")))
            throw RestoreError(beside(wish.to, "-wal").string() +
                               " belongs to a database that is not there: move it elsewhere");
        remove_draft(draft);
        prepare(draft, wish, restored, progress);
        flush(draft);
        put_in_place(draft, wish, restored, progress);
    } catch (const std::exception& error) {
        remove_draft(draft);
        throw RestoreError(naming(wish.from, draft, error.what()));
    }
    progress("flushing");
    flush(fs::absolute(wish.to).parent_path());
    return restored;
}

}  // namespace sluice::sqlite
