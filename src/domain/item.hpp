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

struct Item {
    ItemId id;
    std::string title;
    std::string description;
    std::string image_url;
    std::int64_t list_price_cents = 0;
    std::string currency;  // ISO 4217
    std::int64_t version = 1;
    Timestamp created_at;

    friend bool operator==(const Item&, const Item&) = default;
};

/// What an operator asks for. Fields left out keep their value, or must be there on creation.
struct ItemDraft {
    std::optional<std::string> title;
    std::optional<std::string> description;
    std::optional<std::string> image_url;
    std::optional<std::int64_t> list_price_cents;
    std::optional<std::string> currency;
};

Outcome<Item> create_item(const ItemDraft&, ItemId, Timestamp now);

/// A version later if it changes anything. `has_sales`: the currency of an item that was ever on
/// sale stays, since prices refer to it.
Outcome<Item> edit_item(const Item&, const ItemDraft&, bool has_sales);

std::optional<Complaint> check_price(std::int64_t cents);

}  // namespace sluice
