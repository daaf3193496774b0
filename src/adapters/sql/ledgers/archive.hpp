#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/archive_away.hpp"
#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/store_error.hpp"

namespace sluice::ledgers {

// Reading from the archive beside a ledger. A sale that the ledger's archived_sales names is valid
// in the archive. What the archive has of other sales, and what the ledger still has of these, does
// not count.

using sql::ArchiveAway;

/// Which rows are searched: those of orders from this one on, of one sale or of any.
struct Sought {
    OrderId from{};
    std::optional<SaleId> sale{};
};

// The archive if it may contain what is searched, according to the ledger; else nullptr. They throw
// ArchiveAway when that cannot be known, so that nobody is told by mistake that a row does not
// exist.
Database* archive_for(Database& ledger, const Sought& sought);
Database* archive_for(Database& ledger, PaymentId payment);

/// Runs `ask` on the ledger's archive, and distinguishes a damaged archive from a damaged ledger.
template <class Archive, class Ask>
auto ask_archive(Database& ledger, Archive& archive, Ask ask) {
    try {
        return ask(archive);
    } catch (const StoreError& error) {
        if (!error.is_outage()) throw;
        throw ArchiveAway(ledger.archive_name() + " cannot be read: " + error.what());
    }
}

template <class T>
bool is_none(const std::optional<T>& found) {
    return !found;
}
template <class T>
bool is_none(const std::vector<T>& found) {
    return found.empty();
}

/// The result of `find` in the ledger or, if there is none, in the archive. The ledger is asked
/// first: rows that have left it by then are in the archive already. And it is asked last: rows
/// that have left the archive since then are in the ledger again.
template <class Find>
auto find_in_both(Database& ledger, const Sought& sought, Find find) {
    auto found = find(ledger);
    if (!is_none(found)) return found;
    auto* archive = archive_for(ledger, sought);
    if (!archive) return found;
    found = ask_archive(ledger, *archive, find);
    if (is_none(found) && ledger.look_again()) found = find(ledger);
    return found;
}

/// The first `limit` rows of both lists, by descending `id`. A row that is in both lists is being
/// moved, and counts once.
template <class List, class Id>
auto list_in_both(Database& ledger, Sought sought, std::size_t limit, List list, Id id) {
    auto rows = list(ledger);
    if (rows.size() >= limit && limit > 0) sought.from = std::invoke(id, rows.back());
    auto* archive = archive_for(ledger, sought);
    if (!archive) return rows;
    auto archived = ask_archive(ledger, *archive, list);
    rows.insert(rows.end(), std::make_move_iterator(archived.begin()),
                std::make_move_iterator(archived.end()));
    std::ranges::stable_sort(rows, std::ranges::greater{}, id);
    const auto doubles = std::ranges::unique(rows, {}, id);
    rows.erase(doubles.begin(), doubles.end());
    if (rows.size() > limit) rows.resize(limit);
    return rows;
}

struct ArchiveState {
    std::int64_t sales = 0;  // that are archived
    std::string complaint;   // why their rows cannot be read; empty when they can
};
ArchiveState look_at_archive(Database& ledger);

/// A write needs rows of an archived sale: the sale has to be brought back first.
class InArchive : public std::exception {
  public:
    explicit InArchive(SaleId sale) : sale_(sale) {}
    const char* what() const noexcept override { return "the sale is archived"; }
    SaleId sale() const { return sale_; }

  private:
    const SaleId sale_;
};
// Throw InArchive when the sale is archived, or this order or payment is of an archived sale;
// ArchiveAway when nobody can know.
void expect_in_ledger(Database& ledger, SaleId sale);
void expect_in_ledger(Database& ledger, OrderId order);
void expect_in_ledger(Database& ledger, PaymentId payment);

}  // namespace sluice::ledgers
