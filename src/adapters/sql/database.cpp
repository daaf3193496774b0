#include "adapters/sql/database.hpp"

#include <string>

#include "adapters/sql/rows.hpp"
#include "base/check.hpp"

namespace sluice::sql {

Prepared& Database::ready(std::string_view sql) {
    auto& statement = prepared(sql);
    CHECK(!statement.is_busy(), "a statement is used once at a time");
    return statement;
}

void expect_columns(const Prepared& prepared, int count) {
    const int actual = prepared.columns();
    if (actual == count) return;
    const std::string fact = "a query has the columns of its row: " + std::to_string(actual) +
                             " instead of " + std::to_string(count) + " in " +
                             std::string(prepared.sql());
    broken(fact, __FILE__, __LINE__);
}

}  // namespace sluice::sql
