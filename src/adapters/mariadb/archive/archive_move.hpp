#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "adapters/mariadb/archive/archive_rows.hpp"
#include "base/timestamp.hpp"
#include "domain/deed.hpp"

namespace sluice::mariadb {

// Moves sales between the ledger's tables and the archive's, like sqlite/archive/archive_move.hpp
// between two files. The row in archived_sales, written or removed in one short transaction,
// decides which tables are valid. Before and after it rows are copied and removed in steps of some
// buyers; the next run removes what does not count. There is no moment at which a row is in
// neither.

using sql::ArchiveError;

/// Sales that ended before `until` and are not archived, the oldest first.
std::vector<SaleId> list_archivable(const ServerAddress& address, Timestamp until);

struct ArchiveWish {
    SaleId sale;
    Timestamp ended_before;
    Deed deed;  // its time is the time of the move
};

/// Moves one sale's tickets, orders, holdings and money into the archive and returns how many rows
/// that were. Throws ArchiveError when the sale has to stay, Error when the server fails. One
/// process moves at a time; others wait for it.
std::int64_t archive_sale(const ServerAddress& address, const ArchiveWish& wish);

/// How many rows that would be. Throws ArchiveError when the sale has to stay.
std::int64_t count_archivable(const ServerAddress& address, const ArchiveWish& wish);

/// Archived sales of which the ledger still has rows, since a move was cut short.
std::vector<SaleId> list_leftovers(const ServerAddress& address);

/// Removes these rows. Throws ArchiveError when they differ from those in the archive: then both
/// stay.
void remove_leftovers(const ServerAddress& address, SaleId sale);

/// Removes from the archive what does not count: copies of moves that were cut short, and of sales
/// that were brought back while a server sold.
void remove_stale_copies(const ServerAddress& address);

/// Moves an archived sale back into the ledger; the deed is written when it is valid there.
void bring_back_sale(const ServerAddress& address, SaleId sale, const Deed& deed);

/// The same for a write of a server that sells, as ledgers::ArchiveReturns asks for it: without a
/// deed, and the copy in the archive is left to the next run. Throws Outage when the token asks it
/// to stop, or when others move sales for too long.
void return_sale(const ServerAddress& address, SaleId sale, const std::stop_token& stop);

/// Held by whoever moves rows, in one process of all that use the database.
class ArchiveLock {
  public:
    explicit ArchiveLock(Connection& connection) : connection_(connection) {}
    ~ArchiveLock();
    ArchiveLock(const ArchiveLock&) = delete;
    ArchiveLock& operator=(const ArchiveLock&) = delete;

    /// False when others hold it for that long.
    bool take(std::chrono::seconds patience);

  private:
    Connection& connection_;
    bool taken_ = false;
};

// The steps of a return, for whoever has the lock.
struct ReturnPlan {
    SaleId sale;
    std::vector<UserId> buyers;
    Footprint footprint;

    /// How many buyers one step moves.
    static constexpr std::size_t kBuyers = 50;
};
/// Nothing when the sale is not archived. Throws ArchiveError when the archive is not what was
/// moved.
std::optional<ReturnPlan> plan_return(Connection& connection, SaleId sale);
/// False when the sale is not archived any more: there is nothing left to do. In a transaction that
/// has the turn.
bool return_buyers(Connection& connection, SaleId sale, std::span<const UserId> buyers);
/// From its commit on the ledger's rows are the valid ones, and the deed is written. False as
/// above.
bool conclude_return(Connection& connection, const ReturnPlan& plan,
                     const std::optional<Deed>& deed);

}  // namespace sluice::mariadb
