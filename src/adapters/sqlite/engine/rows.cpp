#include "adapters/sqlite/engine/rows.hpp"

#include <string>

#include <sqlite3.h>

namespace sluice::sqlite {
namespace {

const char* name_of(int type) {
    switch (type) {
        case SQLITE_INTEGER:
            return "a number";
        case SQLITE_FLOAT:
            return "a fraction";
        case SQLITE_TEXT:
            return "a text";
        case SQLITE_BLOB:
            return "a blob";
        default:
            return "NULL";
    }
}

}  // namespace

bool StatementColumns::is_null(int index) const {
    return sqlite3_column_type(&handle_, index) == SQLITE_NULL;
}

std::int64_t StatementColumns::number(int index) const {
    expect_type(index, SQLITE_INTEGER);
    return sqlite3_column_int64(&handle_, index);
}

std::string_view StatementColumns::text(int index) const {
    expect_type(index, SQLITE_TEXT);
    const auto bytes = read_bytes(index);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes StatementColumns::bytes(int index) const {
    expect_type(index, SQLITE_BLOB);
    return read_bytes(index);
}

std::string StatementColumns::describe(int index) const {
    return std::string("column ") + sqlite3_column_name(&handle_, index) + " of " +
           sqlite3_sql(&handle_);
}

void StatementColumns::expect_type(int index, int type) const {
    const int actual = sqlite3_column_type(&handle_, index);
    if (actual == type) return;
    throw RowError(describe(index) + ": " + name_of(actual) + " where " + name_of(type) +
                   " is expected");
}

Bytes StatementColumns::read_bytes(int index) const {
    const auto* data = static_cast<const unsigned char*>(sqlite3_column_blob(&handle_, index));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(&handle_, index))};
}

void expect_columns(sqlite3_stmt& handle, int count) {
    const int actual = sqlite3_column_count(&handle);
    if (actual == count) return;
    const std::string fact = "a query has the columns of its row: " + std::to_string(actual) +
                             " instead of " + std::to_string(count) + " in " + sqlite3_sql(&handle);
    broken(fact, __FILE__, __LINE__);
}

}  // namespace sluice::sqlite
