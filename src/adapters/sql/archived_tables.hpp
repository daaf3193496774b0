#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace sluice::sql {

/// Why a sale was not moved between ledger and archive. Whichever copy was valid before still is.
class ArchiveError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A digest over every fact of every row of a sale, in a fixed order, so that no two lists of rows
/// have the same digest. It is the same in every engine: a sale that was archived in one can be
/// proven in another. Each value is hashed as one byte for its type, then a number in eight bytes,
/// the lowest first; a text or a blob by its length, as a number, and its bytes; for NULL only the
/// type.
using RowsDigest = std::array<unsigned char, 32>;

/// The bytes for the types of values, which are those of SQLite.
enum class HashedType : unsigned char { number = 1, text = 3, blob = 4, null = 5 };

/// A table whose rows move. `facts` are the columns that the digest covers: those that later
/// migrations add do not change it. `order` is how they are sorted; `arrival` is the order in which
/// payment events came, which SQLite has as the rowid.
struct ArchivedTable {
    std::string_view name;
    std::string_view facts;
    std::string_view order;
};

/// Parents before children.
inline constexpr std::array<ArchivedTable, 7> kArchivedTables{{
    {"orders",
     "id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, state, created_at, "
     "expires_at, paid_at",
     "id"},
    {"journal",
     "buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key, claimed_at, "
     "superseded",
     "buyer_id, mark"},
    {"holdings", "sale_id, buyer_id, units, latest", "buyer_id"},
    {"payments", "id, order_id, provider, amount_cents, currency, state, provider_ref, created_at",
     "id"},
    {"charges",
     "id, payment_id, order_id, provider, provider_ref, amount_cents, currency, captures, at",
     "id"},
    {"refunds", "charge_id, provider, order_id, reason, owed_at, attempts, done_at, by_hand",
     "charge_id"},
    {"payment_events", "provider, event_id, payment_id, type, outcome, at", "arrival"},
}};

/// Places in kArchivedTables: children before parents, except the journal, which comes after them
/// because it leads to a buyer's orders.
inline constexpr std::array<std::size_t, 7> kArchivedRemoval{6, 5, 4, 3, 0, 1, 2};

/// How many rows of these kinds a sale has. Every change that the program makes to a finished sale
/// adds a row, so equal numbers mean that nothing has changed. Costs a fraction of a digest.
struct Footprint {
    std::int64_t orders = 0;
    std::int64_t tickets = 0;
    std::int64_t payments = 0;
    std::int64_t payment_events = 0;
    std::int64_t refunds = 0;

    friend bool operator==(const Footprint&, const Footprint&) = default;
};

}  // namespace sluice::sql
