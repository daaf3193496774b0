#include "adapters/mariadb/archive/archive_move.hpp"

#include <algorithm>
#include <memory>
#include <thread>
#include <tuple>

#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/outage.hpp"

namespace sluice::mariadb {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// At least this long the turn is left to others between two steps.
constexpr auto kShortestPause = 30ms;
/// Others wait for their turn while a step is under way.
constexpr auto kLongStep = 200ms;
/// A run that waits for another one's sale.
constexpr auto kLockPatience = 600s;
/// A server that sells does not wait longer when it ends, or when the database is away.
constexpr Patience kReturnPatience{.connect = 2s, .answer = 60s, .lock = 10s, .idle = 60s};
/// Of a server that sells: seconds, one by one, for another process that moves sales.
constexpr int kLockTries = 20;
/// Others may come in the way of a transaction, which is then run again.
constexpr int kTries = 20;
/// Payment events that are copied in one transaction.
constexpr std::size_t kEvents = 500;

/// What others may do meanwhile: the owner of the turn is alone with all ordinary work, and
/// purchases lock their sales.
enum class Turn { none, taken };

/// Runs work() in a transaction of its own, and again when that was undone because of others.
template <class Work>
auto transact(Connection& connection, Turn turn, Work work) {
    for (int attempt = 1;; ++attempt) {
        try {
            connection.begin("READ COMMITTED", std::nullopt,
                             turn == Turn::taken ? own::take_turn : std::string_view{});
            auto result = work();
            connection.run_script("COMMIT");
            return result;
        } catch (const Error& error) {
            connection.roll_back();
            if (!error.is_retry() || attempt == kTries) throw;
        } catch (...) {
            connection.roll_back();
            throw;
        }
        std::this_thread::sleep_for(kShortestPause * attempt);
    }
}

/// Calls `step` with some of `all` at a time, at most so many, until it says no, and leaves the
/// server to others for as long as each step has taken. Steps that take long, such as with a server
/// that is far away, become smaller.
template <class Each, class Step>
bool do_in_steps(std::span<const Each> all, const std::size_t most, Step step) {
    for (auto count = most; !all.empty();) {
        const auto began = Steady::now();
        const auto some = all.first(std::min(count, all.size()));
        if (!step(some)) return false;
        all = all.subspan(some.size());
        const auto took = Steady::now() - began;
        count = took > kLongStep ? std::max<std::size_t>(count / 2, 1) : std::min(count * 2, most);
        std::this_thread::sleep_for(std::max<Steady::duration>(kShortestPause, took));
    }
    return true;
}

template <class Step>
bool buyer_by_buyer(std::span<const UserId> buyers, Step step) {
    return do_in_steps(buyers, ReturnPlan::kBuyers, std::move(step));
}

std::unique_ptr<Connection> open_for_move(const ServerAddress& address,
                                          const Patience& patience = kLongPatience) {
    auto connection = std::make_unique<Connection>(address, patience);
    connection->connect();
    return connection;
}

void take_or_fail(ArchiveLock& lock) {
    if (!lock.take(kLockPatience))
        throw ArchiveError("another process has been moving sales for ten minutes");
}

void go_on_unless(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Outage("the server ends");
}

/// What stands in the ledger for an archived sale.
using ArchivedSale = std::tuple<SaleId, RowsDigest>;

std::optional<RowsDigest> digest_on_record(Connection& connection, SaleId sale) {
    const auto row = connection.row<ArchivedSale>(sql::list_archived, sale);
    return row.transform([](const ArchivedSale& found) { return std::get<RowsDigest>(found); });
}

void expect_may_leave(Connection& connection, const ArchiveWish& wish) {
    const auto obstacle =
        connection.row<std::string>(sql::archive_obstacle, wish.sale, wish.ended_before);
    if (obstacle)
        throw ArchiveError("sale " + wish.sale.text() + " stays in the ledger: " + *obstacle);
}

ArchiveError changed_meanwhile(SaleId sale) {
    return ArchiveError("sale " + sale.text() + " was changed while it was copied: try again");
}

/// The sale as of one instant.
struct Found {
    RowsDigest digest;
    Footprint footprint;
    std::int64_t rows = 0;
    std::vector<UserId> buyers;
    std::vector<std::int64_t> arrivals;
};

Found look_at_sale(Connection& connection, const ArchiveWish& wish) {
    connection.begin_snapshot();
    expect_may_leave(connection, wish);
    Found found{.digest = digest_of(connection, Place::ledger, wish.sale),
                .footprint = footprint_of(connection, Place::ledger, wish.sale),
                .rows = count_rows(connection, Place::ledger, wish.sale),
                .buyers = list_buyers(connection, Place::ledger, wish.sale),
                .arrivals = list_arrivals(connection, wish.sale)};
    connection.run_script("COMMIT");
    return found;
}

/// A copy that does not count: left by a run that was killed, or of a sale that was brought back.
void discard_copy(Connection& connection, SaleId sale) {
    const auto buyers = list_buyers(connection, Place::archive, sale);
    buyer_by_buyer(buyers, [&](std::span<const UserId> some) {
        return transact(connection, Turn::none, [&] {
            const MovingRows moving(connection);
            for (const auto buyer : some) remove_buyer(connection, Place::archive, sale, buyer);
            return true;
        });
    });
    transact(connection, Turn::none, [&] {
        const MovingRows moving(connection);
        remove_remains(connection, Place::archive, sale);
        return true;
    });
}

void make_copy(Connection& connection, SaleId sale, const Found& found) {
    buyer_by_buyer(found.buyers, [&](std::span<const UserId> some) {
        return transact(connection, Turn::none, [&] {
            const MovingRows moving(connection);
            for (const auto buyer : some) archive_buyer(connection, sale, buyer);
            return true;
        });
    });
    do_in_steps(std::span<const std::int64_t>(found.arrivals), kEvents,
                [&](std::span<const std::int64_t> some) {
                    return transact(connection, Turn::none, [&] {
                        const MovingRows moving(connection);
                        archive_events(connection, sale, some);
                        return true;
                    });
                });
    transact(connection, Turn::none, [&] {
        const MovingRows moving(connection);
        copy_remains(connection, Place::ledger, sale);
        return true;
    });
    if (digest_of(connection, Place::archive, sale) != found.digest) throw changed_meanwhile(sale);
}

/// A late ticket waits for the row of its sale, which this transaction has locked.
void keep_tickets_out(Connection& connection, SaleId sale) {
    connection.has_row(own::lock_sale, sale);
}

/// From its commit on the archive's copy is the valid one. If the sale was changed since it was
/// looked at, as by a refund, it stays. Nobody writes to it meanwhile: ordinary work waits for its
/// turn, and a purchase for the row of the sale.
void switch_to_archive(Connection& connection, const ArchiveWish& wish, const Found& found) {
    transact(connection, Turn::taken, [&] {
        keep_tickets_out(connection, wish.sale);
        expect_may_leave(connection, wish);
        if (footprint_of(connection, Place::ledger, wish.sale) != found.footprint)
            throw changed_meanwhile(wish.sale);
        connection.run(sql::note_archived, wish.sale, wish.deed.at, found.digest);
        ledgers::add_deed(connection, wish.deed);
        return true;
    });
}

/// False when the sale was brought back meanwhile.
bool remove_archived_buyers(Connection& connection, SaleId sale, std::span<const UserId> buyers) {
    keep_tickets_out(connection, sale);
    if (!digest_on_record(connection, sale)) return false;
    const MovingRows moving(connection);
    for (const auto buyer : buyers) {
        if (!has_rows_of_buyer(connection, Place::ledger, sale, buyer)) continue;
        if (digest_of(connection, Place::ledger, sale, buyer) !=
            digest_of(connection, Place::archive, sale, buyer))
            throw ArchiveError("sale " + sale.text() +
                               " is archived, but the ledger has other rows of buyer " +
                               buyer.text() + " than the archive: somebody changed them by hand");
        remove_buyer(connection, Place::ledger, sale, buyer);
    }
    return true;
}

void remove_archived(Connection& connection, SaleId sale) {
    const auto buyers = list_buyers(connection, Place::archive, sale);
    const bool still_archived = buyer_by_buyer(buyers, [&](std::span<const UserId> some) {
        return transact(connection, Turn::taken,
                        [&] { return remove_archived_buyers(connection, sale, some); });
    });
    if (!still_archived) return;
    transact(connection, Turn::taken, [&] {
        keep_tickets_out(connection, sale);
        if (!digest_on_record(connection, sale)) return false;
        const MovingRows moving(connection);
        remove_remains(connection, Place::ledger, sale);
        return true;
    });
}

/// False when the sale is not archived, or not any more. For whoever holds the archive's lock.
bool return_in_steps(Connection& connection, SaleId sale, const std::optional<Deed>& deed,
                     const std::stop_token& stop) {
    const auto plan = plan_return(connection, sale);
    if (!plan) return false;
    const bool archived = buyer_by_buyer(plan->buyers, [&](std::span<const UserId> some) {
        go_on_unless(stop);
        return transact(connection, Turn::taken,
                        [&] { return return_buyers(connection, sale, some); });
    });
    return archived && conclude_return(connection, *plan, deed);
}

}  // namespace

ArchiveLock::~ArchiveLock() {
    if (!taken_) return;
    try {
        connection_.has_row(own::unlock_archive);
    } catch (const Error&) {
        // The server releases it with the connection.
    }
}

bool ArchiveLock::take(std::chrono::seconds patience) {
    taken_ = connection_.value<std::optional<std::int64_t>>(own::lock_archive, patience.count()) ==
             std::int64_t{1};
    return taken_;
}

std::vector<SaleId> list_archivable(const ServerAddress& address, Timestamp until) {
    return open_for_move(address)->rows<SaleId>(sql::list_archivable, until).to_vector();
}

std::int64_t archive_sale(const ServerAddress& address, const ArchiveWish& wish) {
    const auto connection = open_for_move(address);
    ArchiveLock lock(*connection);
    take_or_fail(lock);
    const auto found = look_at_sale(*connection, wish);
    discard_copy(*connection, wish.sale);
    make_copy(*connection, wish.sale, found);
    switch_to_archive(*connection, wish, found);
    remove_archived(*connection, wish.sale);
    return found.rows;
}

std::int64_t count_archivable(const ServerAddress& address, const ArchiveWish& wish) {
    const auto connection = open_for_move(address);
    connection->begin_snapshot();
    expect_may_leave(*connection, wish);
    return count_rows(*connection, Place::ledger, wish.sale);
}

std::vector<SaleId> list_leftovers(const ServerAddress& address) {
    return open_for_move(address)->rows<SaleId>(sql::list_leftovers).to_vector();
}

void remove_leftovers(const ServerAddress& address, SaleId sale) {
    const auto connection = open_for_move(address);
    ArchiveLock lock(*connection);
    take_or_fail(lock);
    remove_archived(*connection, sale);
}

void remove_stale_copies(const ServerAddress& address) {
    const auto connection = open_for_move(address);
    ArchiveLock lock(*connection);
    take_or_fail(lock);
    for (const auto sale : connection->rows<SaleId>(own::list_stale_copies).to_vector())
        discard_copy(*connection, sale);
}

void bring_back_sale(const ServerAddress& address, SaleId sale, const Deed& deed) {
    const auto connection = open_for_move(address);
    ArchiveLock lock(*connection);
    take_or_fail(lock);
    if (!return_in_steps(*connection, sale, deed, {}))
        throw ArchiveError("sale " + sale.text() + " is not archived");
    discard_copy(*connection, sale);
}

void return_sale(const ServerAddress& address, SaleId sale, const std::stop_token& stop) {
    const auto connection = open_for_move(address, kReturnPatience);
    ArchiveLock lock(*connection);
    for (int tries = 1; !lock.take(1s); ++tries) {
        go_on_unless(stop);
        if (tries == kLockTries) throw Outage("another process moves archived sales");
    }
    // Whoever waited for another return of the same sale finds it in the ledger.
    return_in_steps(*connection, sale, std::nullopt, stop);
}

std::optional<ReturnPlan> plan_return(Connection& connection, SaleId sale) {
    connection.begin_snapshot();
    std::optional<ReturnPlan> plan;
    if (const auto digest = digest_on_record(connection, sale)) {
        if (digest_of(connection, Place::archive, sale) != *digest)
            throw ArchiveError("sale " + sale.text() +
                               " cannot be brought back: the archive is not what was moved");
        plan = ReturnPlan{.sale = sale,
                          .buyers = list_buyers(connection, Place::archive, sale),
                          .footprint = footprint_of(connection, Place::archive, sale)};
    }
    connection.run_script("COMMIT");
    return plan;
}

bool return_buyers(Connection& connection, SaleId sale, std::span<const UserId> buyers) {
    keep_tickets_out(connection, sale);
    if (!digest_on_record(connection, sale)) return false;
    const MovingRows moving(connection);
    for (const auto buyer : buyers) {
        if (!has_rows_of_buyer(connection, Place::ledger, sale, buyer)) {
            return_buyer(connection, sale, buyer);
        } else if (digest_of(connection, Place::ledger, sale, buyer) !=
                   digest_of(connection, Place::archive, sale, buyer)) {
            throw ArchiveError("sale " + sale.text() +
                               " cannot be brought back: the ledger has other rows of buyer " +
                               buyer.text() + " than the archive; somebody changed them by hand");
        }
    }
    return true;
}

bool conclude_return(Connection& connection, const ReturnPlan& plan,
                     const std::optional<Deed>& deed) {
    const auto is_whole = [&] {
        return footprint_of(connection, Place::ledger, plan.sale) == plan.footprint;
    };
    // Counting takes seconds for a large sale, in which nobody else should wait for their turn.
    // Nobody else writes these rows meanwhile: the sale is archived, and the lock is ours.
    const bool was_whole = is_whole();
    return transact(connection, Turn::taken, [&] {
        keep_tickets_out(connection, plan.sale);
        if (!digest_on_record(connection, plan.sale)) return false;
        if (!was_whole) {
            const MovingRows moving(connection);
            copy_remains(connection, Place::archive, plan.sale);
            if (!is_whole())
                throw ArchiveError("sale " + plan.sale.text() +
                                   " cannot be brought back: others worked on its rows; try again");
        }
        connection.run(sql::forget_archived, plan.sale);
        if (deed) ledgers::add_deed(connection, *deed);
        return true;
    });
}

}  // namespace sluice::mariadb
