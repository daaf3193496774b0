#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "adapters/sqlite/connection.hpp"
#include "domain/deed.hpp"

namespace sluice::sqlite {

/// Why a sale was not moved. Nothing was changed in the ledger.
class ArchiveError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The archive's file, which stands beside the ledger's.
std::filesystem::path archive_of(const std::filesystem::path& ledger);

/// Brings the archive up to date, if there is one. Throws as migrate() does.
void migrate_archive(const std::filesystem::path& ledger);

/// The archive for reading, as far as the ledger calls its sales archived; nullptr when there is
/// none. The ledger's connection keeps it, since `sluice archive` may make one at any time and
/// opening it costs more than a look-up.
Database* archive_beside(Database& ledger);

/// Has archive_beside() give this file: the archive of a copy stands elsewhere.
void read_archive_from(Database& ledger, const std::filesystem::path& file);

template <class T>
bool is_none(const std::optional<T>& found) {
    return !found;
}
template <class T>
bool is_none(const std::vector<T>& found) {
    return found.empty();
}

/// What `find` finds in the ledger or, if that is nothing, in the archive. The ledger is asked
/// first: rows that have left it by then are in the archive already.
template <class Find>
auto find_in_both(Database& ledger, Find find) {
    auto found = find(ledger);
    if (!is_none(found)) return found;
    auto* archive = archive_beside(ledger);
    if (archive) found = find(*archive);
    return found;
}

/// The first `limit` of what is listed in both, by descending `id`. A row that is seen in both is
/// one that is being moved, and counts once.
template <class List, class Id>
auto list_in_both(Database& ledger, std::size_t limit, List list, Id id) {
    auto rows = list(ledger);
    auto* archive = archive_beside(ledger);
    if (!archive) return rows;
    auto archived = list(*archive);
    rows.insert(rows.end(), std::make_move_iterator(archived.begin()),
                std::make_move_iterator(archived.end()));
    std::ranges::stable_sort(rows, std::ranges::greater{}, id);
    const auto doubles = std::ranges::unique(rows, {}, id);
    rows.erase(doubles.begin(), doubles.end());
    if (rows.size() > limit) rows.resize(limit);
    return rows;
}

/// Sales that ended before `until` and are not archived, the oldest first.
std::vector<SaleId> list_archivable(const std::filesystem::path& ledger, Timestamp until);

struct ArchiveWish {
    std::filesystem::path ledger;
    SaleId sale;
    Timestamp ended_before;
    Deed deed;  // its time is the time of the move
};

/// Moves one sale's tickets, orders, holdings and money into the archive and returns how many rows
/// that were. Others may use the ledger meanwhile; they wait while the rows are removed. Throws
/// ArchiveError when the sale has to stay, Error when a file cannot be used.
///
/// Killed before the ledger's commit it leaves the sale in the ledger, and a copy that nobody sees;
/// after it, the sale in the archive. There is no moment at which a row is in neither.
std::int64_t archive_sale(const ArchiveWish& wish);

/// How many rows that would be. Throws ArchiveError when the sale has to stay.
std::int64_t count_archivable(const ArchiveWish& wish);

/// Puts an archived sale's rows back into the ledger, in one transaction with the deed.
void bring_back_sale(const std::filesystem::path& ledger, SaleId sale, const Deed& deed);

/// Does so within the caller's transaction.
void bring_back(Database& ledger, SaleId sale);

/// Does so if this order, or this payment, is archived. True when it was.
bool bring_back_order(Database& ledger, OrderId order);
bool bring_back_payment(Database& ledger, PaymentId payment);

/// What is wrong with the archived sales, of one or of all: rows that are missing or were changed
/// since they were moved.
std::vector<std::string> find_archive_faults(Database& ledger, Database* archive,
                                             std::optional<SaleId> sale);

/// Copies into the archive what it lacks of the sales that this ledger calls archived, as far as
/// `source` has it, which is another archive of the same version. What the archive has of other
/// sales stays.
void complete_archive(Database& ledger, const std::filesystem::path& archive,
                      const std::filesystem::path& source);

}  // namespace sluice::sqlite
