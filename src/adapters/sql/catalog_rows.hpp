#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/item.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// A list in one column: one line for each entry.
std::string joined_lines(const std::vector<std::string>& lines);
std::vector<std::string> split_lines(std::string_view text);

struct ItemRow {
    ItemId id;
    std::string title;
    std::string description;
    std::string image_url;
    std::int64_t list_price_cents = 0;
    std::string currency;
    std::int64_t version = 0;
    Timestamp created_at;
    std::string category;
    std::string pictures;
    bool archived = false;
};
Item to_item(ItemRow row);
ItemRow to_row(const Item& item);

struct StockRow {
    std::int64_t total = 0;
    std::int64_t left = 0;
    std::int64_t held = 0;
    std::int64_t sold = 0;

    friend bool operator==(const StockRow&, const StockRow&) = default;
};
Stock to_stock(const StockRow& row);
StockRow to_row(const Stock& stock);

struct SaleRow {
    SaleId id;
    ItemId item;
    SaleKind kind = SaleKind::flash;
    std::int64_t price_cents = 0;
    std::string currency;
    Timestamp starts_at;
    std::optional<Timestamp> ends_at;
    std::optional<Timestamp> ended_at;
    bool paused = false;
    StockRow stock;
    std::int64_t limit_per_buyer = 0;
    std::int64_t hold_seconds = 0;
    Challenge challenge = Challenge::none;
    std::int64_t gate_factor = 0;
    std::int64_t epoch = 0;
    std::int64_t version = 0;
    Timestamp created_at;
    std::optional<std::int64_t> challenge_bits;
    std::optional<Timestamp> resumed_at;
    std::int64_t hot_seq = 0;
    std::int64_t news_seq = 0;
    std::int64_t unpaid_limit = 0;
    Challenge challenge_alternative = Challenge::none;
    std::string name;
    std::string campaign;
    std::string tags;
    Audience audience = Audience::everyone;
    std::optional<Timestamp> listed_until;
    std::int64_t list_version = 0;
};
Sale to_sale(SaleRow row);
SaleRow to_row(const Sale& sale);

}  // namespace sluice
