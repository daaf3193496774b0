#include "adapters/sqlite/archive/archive_faults.hpp"

#include <tuple>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {
namespace {

std::optional<std::string> fault_of(Database& ledger, Database* archive, SaleId sale,
                                    const RowsDigest& digest) {
    const auto name = "archived sale " + sale.text();
    if (!archive) return name + " is not there: its file archive.db is missing";
    if (digest_of(*archive, sale) != digest)
        return name + " is not what was moved: rows are missing or were changed";
    const auto stock = [sale](Database& database) {
        return database.row<StockRow>(sql::stock_of_sale, sale);
    };
    if (stock(ledger) != stock(*archive)) return name + " has another stock in the ledger";
    return std::nullopt;
}

}  // namespace

std::vector<std::string> find_archive_faults(Database& ledger, Database* archive,
                                             std::optional<SaleId> sale) {
    std::vector<std::string> faults;
    for (const auto& [id, digest] :
         ledger.rows<std::tuple<SaleId, RowsDigest>>(sql::list_archived, sale)) {
        auto fault = fault_of(ledger, archive, id, digest);
        if (fault) faults.push_back(std::move(*fault));
    }
    return faults;
}

}  // namespace sluice::sqlite
