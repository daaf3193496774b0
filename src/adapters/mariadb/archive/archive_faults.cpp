#include "adapters/mariadb/archive/archive_faults.hpp"

#include <tuple>

#include "adapters/mariadb/archive/archive_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::mariadb {

std::vector<std::string> find_archive_faults(Connection& connection, std::optional<SaleId> sale) {
    std::vector<std::string> faults;
    for (const auto& [id, digest] :
         connection.rows<std::tuple<SaleId, RowsDigest>>(sql::list_archived, sale))
        if (digest_of(connection, Place::archive, id) != digest)
            faults.push_back("archived sale " + id.text() +
                             " is not what was moved: rows are missing or were changed");
    return faults;
}

}  // namespace sluice::mariadb
