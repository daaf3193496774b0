#include "adapters/sqlite/upkeep/restore.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/archive/archive_faults.hpp"
#include "adapters/sqlite/archive/archive_move.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "base/check.hpp"
#include "base/flush_file.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;
using Progress = std::function<void(std::string_view step)>;

[[noreturn]] void fail_restore(const std::string& doing) {
    throw RestoreError(doing + ": " + std::strerror(errno));
}

bool is_there(const fs::path& file) {
    return fs::exists(fs::symlink_status(file));
}

fs::path beside(const fs::path& file, std::string_view suffix) {
    return file.string() + std::string(suffix);
}

fs::path draft_of(const fs::path& ledger) {
    return beside(ledger, ".restoring");
}

/// The draft's name from the moment at which the restore is decided.
fs::path decided_of(const fs::path& ledger) {
    return beside(ledger, ".restored");
}

/// A migrated copy of the archive that is there, while rows are taken from it.
fs::path source_of(const fs::path& draft) {
    return beside(draft, ".source");
}

void remove_files(const fs::path& database) {
    for (const auto* suffix : {"", "-wal", "-shm", "-journal", ".partial", ".partial-journal"})
        ::unlink(beside(database, suffix).c_str());
}

void remove_draft(const fs::path& draft) {
    for (const auto& file : {draft, archive_backup_of(draft), source_of(draft)}) remove_files(file);
}

void flush_or_fail(const fs::path& path) {
    if (!flush_file(path)) fail_restore("cannot flush " + path.string());
}

/// Errors in the draft are errors of the backup.
std::string naming(const fs::path& from, const fs::path& draft, std::string message) {
    if (message.starts_with(draft.string()))
        message.replace(0, draft.string().size(), from.string());
    return message;
}

/// For a file that has lost its end on the way. Its head contains its size: the size of a page at
/// byte 16, the number of pages at byte 28.
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

/// Read directly from the file: opening it as a database could already change it.
void expect_backup(const fs::path& file) {
    constexpr std::string_view magic("SQLite format 3\0", 16);
    constexpr std::size_t read_version = 19;  // 1: has at most a journal beside it, 2: a log
    std::array<char, 100> head{};
    std::ifstream in(file, std::ios::binary);
    if (!in) fail_restore("cannot read " + file.string());
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

/// Returns how many migrations it lacked.
std::size_t bring_up_to_date(const fs::path& draft, const fs::path& from) {
    const auto report = migrate(draft);
    if (report.applied.size() == report.version)
        throw RestoreError(from.string() + " is not a backup of sluice: it is empty");
    return report.applied.size();
}

/// Makes it one file without companion files again.
void checkpoint_and_remove_log(Database& database) {
    if (database.row<std::string>("PRAGMA journal_mode = DELETE") != "delete")
        throw Error(SQLITE_BUSY, "the database is locked");
}

void copy_up_to_date(const fs::path& from, const fs::path& to) {
    copy_database(from, to);
    migrate(to);
}

std::vector<Notice> faults_of(const fs::path& ledger_file, const fs::path& archive_file) {
    auto ledger = Database::open_bare(ledger_file);
    auto archive = Database::open_bare(archive_file);
    return find_archive_faults(ledger, &archive, std::nullopt);
}

/// Copies from the present archive what the draft of the archive lacks.
void complete_from(const fs::path& present, const fs::path& draft) {
    copy_up_to_date(present, source_of(draft));
    {
        auto ledger = Database::open_bare(draft);
        complete_archive(ledger, archive_backup_of(draft), source_of(draft));
    }
    remove_files(source_of(draft));
}

/// The archive for the restored ledger: the backup's own, or the present one, or both. The present
/// file is not changed: it is kept for the ledger that is replaced, so another file has to take its
/// place, even an empty one.
void draft_archive(const fs::path& draft, const RestoreWish& wish) {
    const auto own = archive_backup_of(wish.from);
    const auto present = archive_of(wish.to);
    const auto archive = archive_backup_of(draft);
    const bool needed = names_archived_sales(draft);
    if (!needed && !is_there(present)) return;
    if (needed && is_there(own))
        copy_up_to_date(own, archive);
    else if (needed && is_there(present))
        copy_up_to_date(present, archive);
    else
        migrate(archive);
    auto faults = faults_of(draft, archive);
    if (!faults.empty() && is_there(own) && is_there(present)) {
        complete_from(present, draft);
        faults = faults_of(draft, archive);
    }
    if (!faults.empty())
        throw RestoreError(
            wish.from.string() + " needs its archive, " + own.string() +
            (is_there(own) ? ", which lacks something: " : ", which is not there: ") +
            text_of(faults.front()));
    auto database = Database::open_bare(archive);
    checkpoint_and_remove_log(database);
}

void expect_known(const std::vector<std::string>& accepted) {
    const auto known = ledgers::list_promises();
    for (const auto& name : accepted) {
        if (std::ranges::find(known, name) != known.end()) continue;
        auto complaint = "--accept: no promise is called \"" + name + "\". There are:";
        for (const auto& each : known) complaint.append(" \"").append(each).append("\"");
        throw RestoreError(complaint);
    }
}

/// A promise that the operator accepts must be broken, or they mean something else than they wrote.
void expect_broken(const AuditReport& report, const RestoreWish& wish) {
    for (const auto& name : wish.accept) {
        const auto check = std::ranges::find(report.checks, name, &AuditReport::Check::name);
        CHECK(check != report.checks.end(), "every known promise is in the report");
        if (check->holds)
            throw RestoreError("--accept: " + wish.from.string() + " does not break \"" + name +
                               "\", so there is nothing to accept");
        if (check->findings.size() >= ledgers::kMostFindings)
            throw RestoreError("--accept: " + wish.from.string() + " breaks \"" + name + "\" in " +
                               std::to_string(ledgers::kMostFindings) +
                               " places or more, which are too many to accept");
    }
}

/// What is broken and accepted. Throws for what is broken and not accepted.
std::vector<AuditReport::Check> audit_draft(const fs::path& draft, const RestoreWish& wish) {
    // Only the rows: what a server noted about the database that is replaced does not count here.
    auto database = Database::open_reader(draft);
    if (const auto archive = archive_backup_of(draft); is_there(archive))
        read_archive_from(database, archive);
    auto report = audit(database, std::nullopt, wish.now).value();
    expect_broken(report, wish);
    std::string refused;
    std::vector<AuditReport::Check> accepted;
    for (auto& check : report.checks) {
        if (check.holds) continue;
        if (std::ranges::find(wish.accept, check.name) != wish.accept.end())
            accepted.push_back(std::move(check));
        else
            refused.append(refused.empty() ? "" : ". And ")
                .append(check.name + ": " + check.detail + " (--accept \"" + check.name +
                        "\" would restore it all the same)");
    }
    if (!refused.empty()) throw RestoreError(wish.from.string() + " breaks a promise, " + refused);
    return accepted;
}

/// The deed of the restore, with each finding that was accepted.
Deed with_accepted(Database& database, Deed deed, const std::vector<AuditReport::Check>& accepted) {
    if (accepted.empty()) return deed;
    database.run(statements::make_accepted);
    for (const auto& check : accepted)
        for (const auto& finding : check.findings)
            database.run(statements::note_accepted, check.name, finding);
    deed.after = database.value<std::string>(statements::tell_accepted);
    return deed;
}

/// The present database, held so that nobody can begin to use it.
class PresentDatabase {
  public:
    explicit PresentDatabase(const fs::path& file) : database_(Database::open_bare(file)) {
        sqlite3_busy_timeout(database_.handle(), 0);
        // SQLite allows leaving the WAL mode only when nobody else has the database open.
        checkpoint_and_remove_log(database_);
        database_.run("BEGIN EXCLUSIVE");
    }

    bool holds_something() { return database_.value<bool>(statements::holds_something); }

  private:
    Database database_;
};

PresentDatabase take_over(const fs::path& file) try {
    return PresentDatabase(file);
} catch (const Error& error) {
    if ((error.code() & 0xff) == SQLITE_BUSY)
        throw RestoreError("another process is using " + file.string() +
                           ": wait until it has ended");
    throw RestoreError("the database that is there cannot be kept as it is (" +
                       std::string(error.what()) + "): move " + file.string() +
                       ", and what is called like it with -wal and -shm, elsewhere, and try again");
}

bool holds_something(PresentDatabase& incumbent) {
    try {
        return incumbent.holds_something();
    } catch (const Error&) {
        return true;  // probably something that is not ours, so it is not removed
    }
}

fs::path name_for_kept(const fs::path& file, Timestamp now) {
    auto stamp = to_rfc3339(now);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == '.'; });
    return beside(file, ".before-" + stamp);
}

PresentDatabase take_over_if_allowed(const RestoreWish& wish) {
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
    copy_database(wish.from, draft);
    {
        progress("checking every page");
        auto database = Database::open_bare(draft);
        expect_whole(database, wish.from);
    }
    progress("bringing it up to date");
    restored.migrations = bring_up_to_date(draft, wish.from);
    progress("completing the archive");
    draft_archive(draft, wish);
    progress("proving the promises");
    restored.accepted = audit_draft(draft, wish);
    progress("ending its sessions");
    auto database = Database::open_bare(draft);
    database.run(statements::end_all_sessions);
    database.run(statements::rename_ledger);
    ledgers::add_deed(database, with_accepted(database, wish.deed, restored.accepted));
    checkpoint_and_remove_log(database);
}

/// Second names of the old files, so that there is no moment without a file in its place. Removed
/// again unless the restore is decided.
class Kept {
  public:
    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() {
        if (decided_) return;
        for (const auto& name : names_) ::unlink(name.c_str());
    }

    fs::path keep(const fs::path& file, const fs::path& name) {
        if (::link(file.c_str(), name.c_str()) != 0)
            fail_restore("cannot keep " + file.string() + " as " + name.string());
        names_.push_back(name);
        return name;
    }
    void decide() { decided_ = true; }

  private:
    std::vector<fs::path> names_;
    bool decided_ = false;
};

/// Held until the new files are in their places.
struct Incumbents {
    std::optional<PresentDatabase> ledger, archive;
};

fs::path folder_of(const fs::path& file) {
    return fs::absolute(file).parent_path();
}

/// After its last line the restore is decided: everything that it needs is in its place or has its
/// name, on disk.
void decide(const fs::path& draft, const RestoreWish& wish, Incumbents& old, Restored& restored,
            const Progress& progress) {
    const auto archive = archive_of(wish.to);
    const auto name = name_for_kept(wish.to, wish.now);
    Kept kept;
    progress("taking the old database over");
    if (is_there(wish.to)) old.ledger.emplace(take_over_if_allowed(wish));
    if (is_there(archive)) old.archive.emplace(take_over(archive));
    progress("keeping the old database");
    if (old.archive) restored.kept_archive = kept.keep(archive, archive_backup_of(name));
    if (old.ledger) restored.kept = kept.keep(wish.to, name);
    flush_or_fail(folder_of(wish.to));
    progress("deciding");
    if (::rename(draft.c_str(), decided_of(wish.to).c_str()) != 0)
        fail_restore("cannot rename " + draft.string());
    kept.decide();
    flush_or_fail(folder_of(wish.to));
}

void put_in_place(const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0)
        fail_restore("cannot put " + to.string() + " in place");
}

/// Any other file of this name would be taken for the log of the new file.
void expect_no_log(const fs::path& file, std::string_view why) {
    for (const auto* suffix : {"-wal", "-journal"})
        if (const auto log = beside(file, suffix); is_there(log))
            throw RestoreError(log.string() + std::string(why));
}

/// Refuses when somebody else uses one of the files, or when it would be lost against the
/// operator's will.
void expect_free(const RestoreWish& wish) {
    constexpr std::string_view orphan =
        " belongs to a database that is not there: move it elsewhere";
    if (is_there(wish.to))
        take_over_if_allowed(wish);
    else
        expect_no_log(wish.to, orphan);
    if (const auto archive = archive_of(wish.to); is_there(archive))
        take_over(archive);
    else
        expect_no_log(archive, orphan);
}

}  // namespace

void expect_whole(Database& database, const fs::path& from) {
    const auto verdict =
        database.row<std::string>("PRAGMA integrity_check(1)").value_or("no answer");
    if (verdict != "ok") throw RestoreError(from.string() + " is damaged: " + verdict);
    const auto orphan_in = database.row<std::string>(statements::find_orphan);
    if (orphan_in)
        throw RestoreError(from.string() + " is damaged: a row of " + *orphan_in +
                           " names one that is not there");
}

Restored restore(const RestoreWish& wish, const Progress& progress) {
    expect_known(wish.accept);
    finish_restore(wish.to, progress);
    const auto draft = draft_of(wish.to);
    const auto own_archive = archive_backup_of(wish.from);
    Restored restored;
    Incumbents old;
    try {
        expect_backup(wish.from);
        if (is_there(own_archive)) expect_backup(own_archive);
        expect_free(wish);
        remove_draft(draft);
        prepare(draft, wish, restored, progress);
        flush_or_fail(draft);
        if (is_there(archive_backup_of(draft))) flush_or_fail(archive_backup_of(draft));
        decide(draft, wish, old, restored, progress);
    } catch (const std::exception& error) {
        // The draft of the archive belongs to what was decided.
        if (!has_unfinished_restore(wish.to)) remove_draft(draft);
        throw RestoreError(naming(wish.from, draft, error.what()));
    }
    finish_restore(wish.to, progress);
    return restored;
}

bool has_unfinished_restore(const fs::path& ledger) {
    return is_there(decided_of(ledger));
}

bool finish_restore(const fs::path& ledger, const Progress& progress) {
    if (!has_unfinished_restore(ledger)) return false;
    for (const auto& file : {ledger, archive_of(ledger)})
        expect_no_log(file,
                      ": another program has used this database after a restore of it was decided "
                      "and cut short. Move that file elsewhere and try again");
    progress("putting the archive in place");
    if (const auto archive = archive_backup_of(draft_of(ledger)); is_there(archive))
        put_in_place(archive, archive_of(ledger));
    // Before the ledger is renamed, which ends the restore: these notes are about the old ledger.
    for (const auto& file : {mark_file_of(ledger), loss_file_of(ledger)}) fs::remove(file);
    flush_or_fail(folder_of(ledger));
    progress("putting the ledger in place");
    put_in_place(decided_of(ledger), ledger);
    progress("flushing");
    flush_or_fail(folder_of(ledger));
    return true;
}

}  // namespace sluice::sqlite
