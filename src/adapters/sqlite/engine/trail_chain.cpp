#include "adapters/sqlite/engine/trail_chain.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <sqlite3.h>

#include "adapters/sql/trail_chain.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

bool is_null(sqlite3_value* value) {
    return sqlite3_value_type(value) == SQLITE_NULL;
}

std::string text_of(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text ? std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)))
                : std::string();
}

std::optional<UserId> user_of(sqlite3_value* value) {
    if (is_null(value)) return std::nullopt;
    return UserId{sqlite3_value_int64(value)};
}

/// The previous hash, then the fields. Migration 8 calls it without an os_user.
constexpr int kFieldsOfUsers = 10;
constexpr int kFields = 11;

void deed_hash(sqlite3_context* context, int count, sqlite3_value** values) {
    DeedHash previous;
    const auto* bytes = static_cast<const unsigned char*>(sqlite3_value_blob(values[0]));
    if (!bytes || static_cast<std::size_t>(sqlite3_value_bytes(values[0])) != previous.size())
        return sqlite3_result_error(context, "deed_hash() follows 32 bytes", -1);
    std::copy_n(bytes, previous.size(), previous.begin());
    std::optional<std::string> os_user;
    if (count == kFields && !is_null(values[10])) os_user = text_of(values[10]);
    const auto hash = hash_of(previous, {.id = DeedId{sqlite3_value_int64(values[1])},
                                         .at = from_millis(sqlite3_value_int64(values[2])),
                                         .actor = user_of(values[3]),
                                         .os_user = std::move(os_user),
                                         .address = text_of(values[4]),
                                         .request_id = text_of(values[5]),
                                         .action = text_of(values[6]),
                                         .subject = text_of(values[7]),
                                         .before = text_of(values[8]),
                                         .after = text_of(values[9])});
    sqlite3_result_blob(context, hash.data(), static_cast<int>(hash.size()), SQLITE_TRANSIENT);
}

}  // namespace

void add_deed_hash(sqlite3* connection) {
    for (const int fields : {kFieldsOfUsers, kFields})
        CHECK(sqlite3_create_function(connection, "deed_hash", fields,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      nullptr, deed_hash, nullptr, nullptr) == SQLITE_OK,
              "a function can be added");
}

}  // namespace sluice::sqlite
