#include "adapters/sqlite/archive/archive_faults.hpp"

#include <tuple>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {
namespace {

std::optional<NoticeRule> fault_of(Database& ledger, Database* archive, SaleId sale,
                                   const RowsDigest& digest) {
    if (!archive) return NoticeRule::archive_file_missing;
    if (digest_of(*archive, sale) != digest) return NoticeRule::archive_rows_changed;
    const auto stock = [sale](Database& database) {
        return database.row<StockRow>(sql::stock_of_sale, sale);
    };
    if (stock(ledger) != stock(*archive)) return NoticeRule::archive_stock_differs;
    return std::nullopt;
}

}  // namespace

std::vector<Notice> find_archive_faults(Database& ledger, Database* archive,
                                        std::optional<SaleId> sale) {
    std::vector<Notice> faults;
    for (const auto& [id, digest] :
         ledger.rows<std::tuple<SaleId, RowsDigest>>(sql::list_archived, sale)) {
        const auto rule = fault_of(ledger, archive, id, digest);
        if (rule) faults.emplace_back(*rule, id.text());
    }
    return faults;
}

}  // namespace sluice::sqlite
