#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "adapters/sqlite/engine/connection.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {

// Reading from the archive beside a ledger. A sale that the ledger's archived_sales names is valid
// in the archive; what the archive has of other sales, and what the ledger still has of these, does
// not count.

/// The archive is missing or cannot be read, and what is asked for may be in it.
class ArchiveAway : public Outage {
  public:
    using Outage::Outage;
};

/// The archive's file, which stands beside the ledger's.
std::filesystem::path archive_of(const std::filesystem::path& ledger);

/// Brings the archive up to date, if there is one. Throws as migrate() does.
void migrate_archive(const std::filesystem::path& ledger);

/// The archive for reading, as far as the ledger calls its sales archived; nullptr when there is
/// no such file. The ledger's connection keeps it, since opening it costs more than a look-up, as
/// long as the file is the same: `sluice archive` may make one at any time, and an operator may put
/// it back. Throws ArchiveAway when it cannot be read.
Database* archive_beside(Database& ledger);

/// Has archive_beside() give this file: the archive of a copy stands elsewhere.
void read_archive_from(Database& ledger, const std::filesystem::path& file);

/// Which rows are looked for: those of orders from this one on, of one sale or of any.
struct Sought {
    OrderId from{};
    std::optional<SaleId> sale{};
};

// The archive if what is looked for may be in it, as the ledger says; else nullptr. So nobody is
// told that a row does not exist when nobody can know: they throw ArchiveAway.
Database* archive_for(Database& ledger, const Sought& sought);
Database* archive_for(Database& ledger, PaymentId payment);

/// Runs `ask`, and tells a damaged archive from a damaged ledger.
template <class Ask>
auto ask_archive(Database& archive, Ask ask) {
    try {
        return ask(archive);
    } catch (const Error& error) {
        if (!error.is_outage()) throw;
        throw ArchiveAway("archive.db cannot be read: " + std::string(error.what()));
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

/// Has the ledger's reads go on from a newer instant. False in a transaction that writes: there is
/// none.
bool look_again(Database& ledger);

/// What `find` finds in the ledger or, if that is nothing, in the archive. The ledger is asked
/// first: rows that have left it by then are in the archive already. And it is asked last: rows
/// that have left the archive since then are in the ledger again.
template <class Find>
auto find_in_both(Database& ledger, const Sought& sought, Find find) {
    auto found = find(ledger);
    if (!is_none(found)) return found;
    auto* archive = archive_for(ledger, sought);
    if (!archive) return found;
    found = ask_archive(*archive, find);
    if (is_none(found) && look_again(ledger)) found = find(ledger);
    return found;
}

/// The first `limit` of what is listed in both, by descending `id`. A row that is seen in both is
/// one that is being moved, and counts once.
template <class List, class Id>
auto list_in_both(Database& ledger, Sought sought, std::size_t limit, List list, Id id) {
    auto rows = list(ledger);
    if (rows.size() >= limit && limit > 0) sought.from = std::invoke(id, rows.back());
    auto* archive = archive_for(ledger, sought);
    if (!archive) return rows;
    auto archived = ask_archive(*archive, list);
    rows.insert(rows.end(), std::make_move_iterator(archived.begin()),
                std::make_move_iterator(archived.end()));
    std::ranges::stable_sort(rows, std::ranges::greater{}, id);
    const auto doubles = std::ranges::unique(rows, {}, id);
    rows.erase(doubles.begin(), doubles.end());
    if (rows.size() > limit) rows.resize(limit);
    return rows;
}

/// What is wrong with the archived sales, of one or of all: rows that are missing or were changed
/// since they were moved.
std::vector<std::string> find_archive_faults(Database& ledger, Database* archive,
                                             std::optional<SaleId> sale);

struct ArchiveState {
    std::int64_t sales = 0;  // that are archived
    std::string complaint;   // why their rows cannot be read; empty when they can
};
ArchiveState look_at_archive(Database& ledger);

}  // namespace sluice::sqlite
