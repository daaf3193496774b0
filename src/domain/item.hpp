#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// Prices stay exact in JavaScript even when multiplied by the largest quantity.
inline constexpr std::int64_t kMaxPriceCents = 1'000'000'000'000;

inline constexpr std::size_t kMaxCategoryLength = 40;
inline constexpr std::size_t kMaxPictures = 8;

struct Item {
    ItemId id;
    std::string title;
    std::string description;
    std::string image_url;
    std::int64_t list_price_cents = 0;
    std::string currency;  // ISO 4217
    std::int64_t version = 1;
    Timestamp created_at;
    std::string category = {};               // empty: none
    std::vector<std::string> pictures = {};  // further ones, beside image_url
    bool archived = false;                   // put away: no new sale may be made of it

    friend bool operator==(const Item&, const Item&) = default;
};

/// What an operator asks for. A field that is left out keeps its value; a new item needs it.
struct ItemDraft {
    std::optional<std::string> title;
    std::optional<std::string> description;
    std::optional<std::string> image_url;
    std::optional<std::int64_t> list_price_cents;
    std::optional<std::string> currency;
    std::optional<std::string> category = {};
    std::optional<std::vector<std::string>> pictures = {};
};

Outcome<Item> create_item(const ItemDraft&, ItemId, Timestamp now);

/// The next version, if anything changes. `has_sales`: the currency of an item that was ever on
/// sale stays, since prices refer to it.
Outcome<Item> edit_item(const Item&, const ItemDraft&, bool has_sales);

/// The same item when it is archived already. The ledger checks whether it has a sale that has not
/// ended.
Item archive_item(const Item&);
Item restore_item(const Item&);

std::optional<Complaint> check_price(std::int64_t cents);

}  // namespace sluice
