#include "adapters/sql/ledgers/catalog_changes.hpp"

#include <tuple>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {
namespace {

/// The ids whose number is not the known one; nothing when a known one is gone or there are too
/// many.
template <class Id>
std::optional<std::vector<Id>> find_changed(Database& database, std::string_view query,
                                            const std::map<Id, std::int64_t>& known) {
    std::vector<Id> changed;
    std::size_t met = 0;
    for (const auto& [id, number] : database.rows<std::tuple<Id, std::int64_t>>(query)) {
        const auto at = known.find(id);
        if (at != known.end()) ++met;
        if (at == known.end() || at->second != number) changed.push_back(id);
    }
    if (met < known.size() || changed.size() > CatalogChanges::kMost) return std::nullopt;
    return changed;
}

std::optional<CatalogLedger::Contents> read_changes(Database& database,
                                                    const CatalogChanges::Known& known) {
    const auto items = find_changed(database, sql::number_items, known.items);
    const auto sales = find_changed(database, sql::number_sales, known.sales);
    if (!items || !sales) return std::nullopt;
    CatalogLedger::Contents changes;
    for (const auto id : *items)
        if (auto row = database.row<ItemRow>(sql::find_item, id))
            changes.items.push_back(to_item(std::move(*row)));
    for (const auto id : *sales)
        if (auto row = database.row<SaleRow>(sql::find_sale, id))
            changes.sales.push_back(to_sale(std::move(*row)));
    return changes;
}

}  // namespace

Task<std::optional<CatalogLedger::Contents>> CatalogChanges::since(Known known) {
    return readers_.read<std::optional<CatalogLedger::Contents>>(
        [known = std::move(known)](Database& database) { return read_changes(database, known); });
}

}  // namespace sluice::ledgers
