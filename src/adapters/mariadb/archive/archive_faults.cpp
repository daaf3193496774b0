#include "adapters/mariadb/archive/archive_faults.hpp"

#include <tuple>

#include "adapters/mariadb/archive/archive_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::mariadb {

std::vector<Notice> find_archive_faults(Connection& connection, std::optional<SaleId> sale) {
    std::vector<Notice> faults;
    for (const auto& [id, digest] :
         connection.rows<std::tuple<SaleId, RowsDigest>>(sql::list_archived, sale))
        if (digest_of(connection, Place::archive, id) != digest)
            faults.emplace_back(NoticeRule::archive_rows_changed, id.text());
    return faults;
}

}  // namespace sluice::mariadb
