#include "adapters/sqlite/archive/archive_move.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <tuple>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "base/flush_file.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

/// At least this long the ledger is left to others between two steps: whoever waits for its lock
/// tries again within 25 ms in the first tenth of a second.
constexpr std::chrono::milliseconds kShortestPause{30};

/// Held by whoever writes to the archive or moves rows out of the ledger. So nobody else writes the
/// archive's log back meanwhile (docs/adr/0053).
class ArchiveLock {
  public:
    explicit ArchiveLock(const fs::path& ledger) {
        const auto file = ledger.parent_path() / "archive.lock";
        fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        int locked = fd_ < 0 ? -1 : 0;
        while (fd_ >= 0 && (locked = ::flock(fd_, LOCK_EX)) != 0 && errno == EINTR) {
        }
        if (locked == 0) return;
        const std::string reason = std::strerror(errno);
        if (fd_ >= 0) ::close(fd_);
        throw Error(SQLITE_CANTOPEN, "cannot lock " + file.string() + ": " + reason);
    }
    ~ArchiveLock() { ::close(fd_); }
    ArchiveLock(const ArchiveLock&) = delete;
    ArchiveLock& operator=(const ArchiveLock&) = delete;

  private:
    int fd_ = -1;
};

/// A transaction that is rolled back unless it was committed.
class Transaction {
  public:
    Transaction(Database& database, std::string_view begin) : database_(database) {
        database_.run(begin);
    }
    ~Transaction() {
        if (!database_.in_transaction()) return;
        try {
            database_.run("ROLLBACK");
        } catch (const Error&) {
            // SQLite rolls back by itself when the connection closes.
        }
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit() { database_.run("COMMIT"); }

  private:
    Database& database_;
};

/// It gets its name only when it is complete and on disk, since the ledger's rows are removed after
/// that.
void make_archive(const fs::path& file) {
    const fs::path draft = file.string() + ".new";
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(draft.string() + suffix);
    migrate(draft);
    fs::rename(draft, file);
    if (!flush_file(fs::absolute(file).parent_path()))
        throw Error(SQLITE_IOERR,
                    "cannot flush the folder of " + file.string() + ": " + std::strerror(errno));
}

Database open_archive_to_write(const fs::path& file) {
    if (!fs::exists(file)) make_archive(file);
    migrate(file);
    auto archive = Database::open_writer(file);
    // A copy that is replaced may refer to an item's older row, and a child may come before its
    // parent.
    archive.run_script("PRAGMA foreign_keys = OFF");
    return archive;
}

/// Afterwards what was written is in the archive's own file, and the log is empty. A reader that
/// started long ago may prevent that; then the next run does it.
void write_log_back(Database& archive) {
    sqlite3_wal_checkpoint_v2(archive.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                              nullptr);
}

/// The sale and its item too: the archive is a whole database, and can be audited as one.
std::int64_t copy_into_archive(Database& ledger, Database& archive, SaleId sale,
                               const RowsDigest& digest) {
    const WithoutTriggers quiet(archive);
    Transaction transaction(archive, "BEGIN IMMEDIATE");
    copy_rows(ledger, archive, statements::item_of_sale, "items", sale);
    copy_rows(ledger, archive, statements::row_of_sale, "sales", sale);
    const auto rows = copy_sale(ledger, archive, sale);
    if (digest_of(archive, sale) != digest)
        throw ArchiveError("sale " + sale.text() + " was not copied correctly");
    transaction.commit();
    return rows;
}

void expect_no_obstacle(Database& ledger, const ArchiveWish& wish) {
    const auto obstacle =
        ledger.row<std::string>(sql::archive_obstacle, wish.sale, wish.ended_before);
    if (obstacle)
        throw ArchiveError("sale " + wish.sale.text() + " stays in the ledger: " + *obstacle);
}

/// What was copied, as of that instant.
struct Copied {
    RowsDigest digest;
    Footprint footprint;
    std::int64_t rows = 0;
};

Copied copy_from_ledger(const ArchiveWish& wish, Database& archive) {
    auto ledger = Database::open_reader(wish.ledger);
    const Transaction snapshot(ledger, "BEGIN");
    expect_no_obstacle(ledger, wish);
    Copied copied{.digest = digest_of(ledger, wish.sale),
                  .footprint = footprint_of(ledger, wish.sale)};
    copied.rows = copy_into_archive(ledger, archive, wish.sale, copied.digest);
    return copied;
}

/// From here on the archive's copy is the valid one. If the sale was changed since the copy was
/// made, as by a refund, it stays.
void call_archived(const ArchiveWish& wish, const Copied& copied) {
    auto ledger = Database::open_writer(wish.ledger);
    Transaction transaction(ledger, "BEGIN IMMEDIATE");
    expect_no_obstacle(ledger, wish);
    if (footprint_of(ledger, wish.sale) != copied.footprint)
        throw ArchiveError("sale " + wish.sale.text() +
                           " was changed while it was copied: try again");
    ledger.run(sql::note_archived, wish.sale, wish.deed.at, copied.digest);
    ledgers::add_deed(ledger, wish.deed);
    transaction.commit();
}

/// Replaces an archived sale in the ledger.
using ArchivedRow = std::tuple<SaleId, RowsDigest>;

std::optional<RowsDigest> archived_digest(Database& ledger, SaleId sale) {
    const auto row = ledger.row<ArchivedRow>(sql::list_archived, sale);
    return row.transform([](const ArchivedRow& found) { return std::get<RowsDigest>(found); });
}

/// Calls `step` with some of the buyers at a time, until it returns false, and leaves the ledger to
/// others for as long as each step has taken.
template <class Step>
bool in_steps(std::span<const UserId> buyers, Step step) {
    while (!buyers.empty()) {
        const auto began = Steady::now();
        const auto some = buyers.first(std::min(ReturnPlan::kBuyers, buyers.size()));
        if (!step(some)) return false;
        buyers = buyers.subspan(some.size());
        std::this_thread::sleep_for(
            std::max<Steady::duration>(kShortestPause, Steady::now() - began));
    }
    return true;
}

/// False when the sale was brought back meanwhile.
bool remove_buyers(Database& ledger, Database& archive, SaleId sale,
                   std::span<const UserId> buyers) {
    Transaction transaction(ledger, "BEGIN IMMEDIATE");
    if (!archived_digest(ledger, sale)) return false;
    for (const auto buyer : buyers) {
        if (!ledger.has_row(statements::has_rows_of_buyer, sale, buyer)) continue;
        if (digest_of(ledger, sale, buyer) != digest_of(archive, sale, buyer))
            throw ArchiveError("sale " + sale.text() +
                               " is archived, but the ledger has other rows of buyer " +
                               buyer.text() + " than the archive: somebody changed them by hand");
        remove_buyer(ledger, sale, buyer);
    }
    transaction.commit();
    return true;
}

void remove_with(Database& archive, const fs::path& file, SaleId sale) {
    auto ledger = Database::open_writer(file);
    // These rows do not count any more, so they may be there again after a power cut.
    ledger.run_script("PRAGMA synchronous = NORMAL");
    const WithoutTriggers quiet(ledger);
    const auto buyers = list_buyers(archive, sale);
    const bool still_archived = in_steps(buyers, [&](std::span<const UserId> some) {
        return remove_buyers(ledger, archive, sale, some);
    });
    if (!still_archived) return;
    Transaction transaction(ledger, "BEGIN IMMEDIATE");
    if (!archived_digest(ledger, sale)) return;
    remove_remains(ledger, sale);
    transaction.commit();
}

/// All at once, for rows that are not found by buyer.
void copy_whole_sale_back(Database& ledger, Database& archive, SaleId sale,
                          const RowsDigest& digest) {
    const WithoutTriggers quiet(ledger);
    const Transaction snapshot(archive, "BEGIN");
    copy_sale(archive, ledger, sale);
    if (digest_of(ledger, sale) != digest)
        throw ArchiveError("sale " + sale.text() +
                           " cannot be brought back: the archive is not what was moved");
}

Database& expect_archive_of(Database& ledger, SaleId sale) {
    if (!ledgers::archive_for(ledger, {.from = OrderId{}, .sale = sale}))
        throw ArchiveError("sale " + sale.text() + " is not archived");
    return *ledger.archive();
}

}  // namespace

void expect_archive_there(const fs::path& file) {
    auto ledger = Database::open_reader(file);
    const auto state = ledgers::look_at_archive(ledger);
    if (!state.complaint.empty()) throw sql::ArchiveAway(state.complaint);
}

std::vector<SaleId> list_archivable(const fs::path& file, Timestamp until) {
    auto ledger = Database::open_reader(file);
    return ledger.rows<SaleId>(sql::list_archivable, until).to_vector();
}

std::int64_t archive_sale(const ArchiveWish& wish) {
    const ArchiveLock lock(wish.ledger);
    expect_archive_there(wish.ledger);
    auto archive = open_archive_to_write(archive_of(wish.ledger));
    const auto copied = copy_from_ledger(wish, archive);
    write_log_back(archive);
    call_archived(wish, copied);
    remove_with(archive, wish.ledger, wish.sale);
    return copied.rows;
}

std::int64_t count_archivable(const ArchiveWish& wish) {
    auto ledger = Database::open_reader(wish.ledger);
    const Transaction snapshot(ledger, "BEGIN");
    expect_no_obstacle(ledger, wish);
    return count_rows(ledger, wish.sale);
}

std::vector<SaleId> list_leftovers(const fs::path& file) {
    auto ledger = Database::open_reader(file);
    return ledger.rows<SaleId>(sql::list_leftovers).to_vector();
}

void remove_leftovers(const fs::path& ledger, SaleId sale) {
    const ArchiveLock lock(ledger);
    expect_archive_there(ledger);
    auto archive = open_archive_to_write(archive_of(ledger));
    remove_with(archive, ledger, sale);
}

void bring_back_sale(const fs::path& file, SaleId sale, const Deed& deed) {
    const ArchiveLock lock(file);
    auto ledger = Database::open_writer(file);
    const auto plan = plan_return(ledger, sale);
    bool archived = plan && in_steps(plan->buyers, [&](std::span<const UserId> some) {
                        Transaction transaction(ledger, "BEGIN IMMEDIATE");
                        const bool still = return_buyers(ledger, sale, some);
                        transaction.commit();
                        return still;
                    });
    if (archived) {
        Transaction transaction(ledger, "BEGIN IMMEDIATE");
        archived = conclude_return(ledger, *plan);
        if (archived) ledgers::add_deed(ledger, deed);
        transaction.commit();
    }
    if (!archived) throw ArchiveError("sale " + sale.text() + " is not archived");
}

void complete_archive(Database& ledger, const fs::path& file, const fs::path& source) {
    auto archive = open_archive_to_write(file);
    auto copy = Database::open_bare(source);
    for (const auto& [sale, digest] : ledger.rows<ArchivedRow>(sql::list_archived, std::nullopt)) {
        if (digest_of(archive, sale) == digest || digest_of(copy, sale) != digest) continue;
        copy_into_archive(copy, archive, sale, digest);
    }
}

std::optional<ReturnPlan> plan_return(Database& ledger, SaleId sale) {
    const auto digest = archived_digest(ledger, sale);
    if (!digest) return std::nullopt;
    return ledgers::ask_archive(ledger, expect_archive_of(ledger, sale), [&](Database& archive) {
        const Transaction snapshot(archive, "BEGIN");
        if (digest_of(archive, sale) != *digest)
            throw ArchiveError("sale " + sale.text() +
                               " cannot be brought back: the archive is not what was moved");
        return std::optional(ReturnPlan{.sale = sale,
                                        .buyers = list_buyers(archive, sale),
                                        .footprint = footprint_of(archive, sale)});
    });
}

bool return_buyers(Database& ledger, SaleId sale, std::span<const UserId> buyers) {
    if (!archived_digest(ledger, sale)) return false;
    auto& archive = expect_archive_of(ledger, sale);
    const WithoutTriggers quiet(ledger);
    for (const auto buyer : buyers) copy_buyer(archive, ledger, sale, buyer);
    return true;
}

bool conclude_return(Database& ledger, const ReturnPlan& plan) {
    const auto digest = archived_digest(ledger, plan.sale);
    if (!digest) return false;
    if (footprint_of(ledger, plan.sale) != plan.footprint)
        copy_whole_sale_back(ledger, expect_archive_of(ledger, plan.sale), plan.sale, *digest);
    ledger.run(sql::forget_archived, plan.sale);
    return true;
}

}  // namespace sluice::sqlite
