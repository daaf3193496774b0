#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "adapters/sqlite/archive/archive_rows.hpp"
#include "domain/deed.hpp"

namespace sluice::sqlite {

// Moves sales between ledger and archive. Purchases go on meanwhile: every transaction of the
// ledger is short, whatever the sale's size. The row in archived_sales, written or removed in one
// of them, decides which file is valid. Before and after it rows are moved in steps of some buyers.
// What the ledger has of an archived sale in between does not count, and after a kill the next run
// removes it.

using sql::ArchiveError;

/// Throws ArchiveAway when sales are archived and their rows cannot be read. A new archive must not
/// be made beside a ledger that needs the rows of the old one.
void expect_archive_there(const std::filesystem::path& ledger);

/// Sales that ended before `until` and are not archived, the oldest first.
std::vector<SaleId> list_archivable(const std::filesystem::path& ledger, Timestamp until);

struct ArchiveWish {
    std::filesystem::path ledger;
    SaleId sale;
    Timestamp ended_before;
    Deed deed;  // its time is the time of the move
};

/// Moves one sale's tickets, orders, holdings and money into the archive and returns how many rows
/// that were. Throws ArchiveError when the sale has to stay, ArchiveAway when sales are archived
/// and the archive is missing, Error when a file cannot be used. One process moves at a time;
/// others wait for it.
///
/// If it is killed before the ledger's row is written, the sale is in the ledger, and the copy does
/// not count; after that, the sale is in the archive. There is no moment at which a row is in
/// neither.
std::int64_t archive_sale(const ArchiveWish& wish);

/// How many rows that would be. Throws ArchiveError when the sale has to stay.
std::int64_t count_archivable(const ArchiveWish& wish);

/// Archived sales of which the ledger still has rows, since a move was cut short.
std::vector<SaleId> list_leftovers(const std::filesystem::path& ledger);

/// Removes these rows. Throws ArchiveError when they differ from those in the archive: then both
/// stay.
void remove_leftovers(const std::filesystem::path& ledger, SaleId sale);

/// Moves an archived sale back into the ledger; the deed is written when it is valid there.
void bring_back_sale(const std::filesystem::path& ledger, SaleId sale, const Deed& deed);

/// Copies into the archive the sales that this ledger calls archived and that are missing there, if
/// `source` has them, which is another archive of the same version. Other sales in the archive
/// stay.
void complete_archive(Database& ledger, const std::filesystem::path& archive,
                      const std::filesystem::path& source);

// The steps of a return, for the owner of the writing connection. The plan is made on a connection
// of its own, since it reads everything; each other step is one transaction.
struct ReturnPlan {
    SaleId sale;
    std::vector<UserId> buyers;
    Footprint footprint;

    /// How many buyers one step moves.
    static constexpr std::size_t kBuyers = 100;
};
/// Nothing when the sale is not archived. Throws ArchiveError when the archive is not what was
/// moved.
std::optional<ReturnPlan> plan_return(Database& ledger, SaleId sale);
/// False when the sale is not archived any more: there is nothing left to do.
bool return_buyers(Database& ledger, SaleId sale, std::span<const UserId> buyers);
/// From its commit on the ledger's rows are the valid ones.
bool conclude_return(Database& ledger, const ReturnPlan& plan);

}  // namespace sluice::sqlite
