#include "adapters/sqlite/engine/trail_chain.hpp"

#include <algorithm>

#include <sodium.h>
#include <sqlite3.h>

#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

class Hasher {
  public:
    Hasher() { crypto_generichash_init(&state_, nullptr, 0, DeedHash{}.size()); }

    void add(std::int64_t number) {
        std::array<unsigned char, 8> bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(number) >> (8 * i));
        crypto_generichash_update(&state_, bytes.data(), bytes.size());
    }
    void add(std::string_view text) {
        add(static_cast<std::int64_t>(text.size()));
        crypto_generichash_update(&state_, bytes_of(text).data(), text.size());
    }
    void add(const DeedHash& hash) { crypto_generichash_update(&state_, hash.data(), hash.size()); }
    DeedHash finish() {
        DeedHash hash;
        crypto_generichash_final(&state_, hash.data(), hash.size());
        return hash;
    }

  private:
    crypto_generichash_state state_;
};

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

/// The hash before, then the fields. Migration 8 has no os_user to give.
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

Deed read_deed(const Statement& row) {
    return {.id = row.column<DeedId>(1),
            .at = row.column<Timestamp>(4),
            .actor = row.column<std::optional<UserId>>(5),
            .os_user = row.column<std::optional<std::string>>(6),
            .address = row.column<std::string>(7),
            .request_id = row.column<std::string>(8),
            .action = row.column<std::string>(9),
            .subject = row.column<std::string>(10),
            .before = row.column<std::string>(11),
            .after = row.column<std::string>(12)};
}

}  // namespace

DeedHash hash_of(const DeedHash& previous, const Deed& deed) {
    Hasher hasher;
    hasher.add(previous);
    hasher.add(deed.id.value);
    hasher.add(to_millis(deed.at));
    hasher.add(deed.actor.value_or(UserId{}).value);
    for (const auto* text :
         {&deed.address, &deed.request_id, &deed.action, &deed.subject, &deed.before, &deed.after})
        hasher.add(std::string_view(*text));
    if (deed.os_user) hasher.add(std::string_view(*deed.os_user));
    return hasher.finish();
}

void add_deed_hash(sqlite3* connection) {
    for (const int fields : {kFieldsOfUsers, kFields})
        CHECK(sqlite3_create_function(connection, "deed_hash", fields,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      nullptr, deed_hash, nullptr, nullptr) == SQLITE_OK,
              "a function can be added");
}

std::vector<std::string> broken_links(Database& database) {
    std::vector<std::string> broken;
    DeedHash previous{};
    std::int64_t last = 0;
    auto links = database.query(sql::walk_chain);
    while (links.step()) {
        const auto place = links.column<std::int64_t>(0);
        const auto id = links.column<DeedId>(1).text();
        const auto hash = links.column<DeedHash>(2);
        if (place != last + 1)
            broken.push_back("before deed " + id + " the trail has lost " +
                             std::to_string(place - last - 1));
        else if (!links.column<bool>(3))
            broken.push_back("deed " + id + " was removed");
        else if (hash_of(previous, read_deed(links)) != hash)
            broken.push_back("deed " + id + " was changed, or does not follow the one before");
        // Going on from the hash on record names each one that was touched, and no others.
        previous = hash;
        last = place;
    }
    auto strangers = database.query(sql::unchained_deeds);
    while (strangers.step())
        broken.push_back("deed " + strangers.column<DeedId>(0).text() + " was put in");
    return broken;
}

}  // namespace sluice::sqlite
