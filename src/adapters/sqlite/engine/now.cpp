#include "adapters/sqlite/engine/now.hpp"

#include <sqlite3.h>

#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

constexpr double kJulianDayOf1970 = 2440587.5;
constexpr double kMillisOfDay = 86'400'000;

void julian_day(sqlite3_context* context, int, sqlite3_value** arguments) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
    if (!text || std::string_view(text) != "now") {
        sqlite3_result_error(context, "only julianday('now') is known here", -1);
        return;
    }
    const auto& clock = *static_cast<const Clock*>(sqlite3_user_data(context));
    const auto millis = static_cast<double>(to_millis(clock.now()));
    sqlite3_result_double(context, kJulianDayOf1970 + millis / kMillisOfDay);
}

}  // namespace

void use_as_now(Database& database, const Clock& clock) {
    CHECK(sqlite3_create_function(database.handle(), "julianday", 1, SQLITE_UTF8,
                                  const_cast<Clock*>(&clock), julian_day, nullptr,
                                  nullptr) == SQLITE_OK,
          "a built-in function can be replaced");
}

}  // namespace sluice::sqlite
