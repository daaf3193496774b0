#include "adapters/sql/catalog_rows.hpp"

#include <utility>

namespace sluice {
std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) {
        if (!text.empty()) text += '\n';
        text += line;
    }
    return text;
}

Item to_item(ItemRow row) {
    return {.id = row.id,
            .title = std::move(row.title),
            .description = std::move(row.description),
            .image_url = std::move(row.image_url),
            .list_price_cents = row.list_price_cents,
            .currency = std::move(row.currency),
            .version = row.version,
            .created_at = row.created_at,
            .category = std::move(row.category),
            .pictures = split_lines(row.pictures),
            .archived = row.archived};
}

ItemRow to_row(const Item& item) {
    return {.id = item.id,
            .title = item.title,
            .description = item.description,
            .image_url = item.image_url,
            .list_price_cents = item.list_price_cents,
            .currency = item.currency,
            .version = item.version,
            .created_at = item.created_at,
            .category = item.category,
            .pictures = joined_lines(item.pictures),
            .archived = item.archived};
}

Stock to_stock(const StockRow& row) {
    return {.total = row.total, .left = row.left, .held = row.held, .sold = row.sold};
}

StockRow to_row(const Stock& stock) {
    return {.total = stock.total, .left = stock.left, .held = stock.held, .sold = stock.sold};
}

Sale to_sale(SaleRow row) {
    return {.id = row.id,
            .item_id = row.item,
            .kind = row.kind,
            .price_cents = row.price_cents,
            .currency = std::move(row.currency),
            .starts_at = row.starts_at,
            .ends_at = row.ends_at,
            .ended_at = row.ended_at,
            .paused = row.paused,
            .resumed_at = row.resumed_at,
            .stock = to_stock(row.stock),
            .limit_per_buyer = row.limit_per_buyer,
            .hold_seconds = row.hold_seconds,
            .challenge = row.challenge,
            .challenge_alternative = row.challenge_alternative,
            .challenge_bits = row.challenge_bits,
            .gate_factor = row.gate_factor,
            .unpaid_limit = row.unpaid_limit,
            .epoch = row.epoch,
            .hot_seq = row.hot_seq,
            .version = row.version,
            .news_seq = row.news_seq,
            .created_at = row.created_at,
            .name = std::move(row.name),
            .campaign = std::move(row.campaign),
            .tags = split_lines(row.tags),
            .audience = row.audience,
            .listed_until = row.listed_until,
            .list_version = row.list_version};
}

SaleRow to_row(const Sale& sale) {
    return {.id = sale.id,
            .item = sale.item_id,
            .kind = sale.kind,
            .price_cents = sale.price_cents,
            .currency = sale.currency,
            .starts_at = sale.starts_at,
            .ends_at = sale.ends_at,
            .ended_at = sale.ended_at,
            .paused = sale.paused,
            .stock = to_row(sale.stock),
            .limit_per_buyer = sale.limit_per_buyer,
            .hold_seconds = sale.hold_seconds,
            .challenge = sale.challenge,
            .gate_factor = sale.gate_factor,
            .epoch = sale.epoch,
            .version = sale.version,
            .created_at = sale.created_at,
            .challenge_bits = sale.challenge_bits,
            .resumed_at = sale.resumed_at,
            .hot_seq = sale.hot_seq,
            .news_seq = sale.news_seq,
            .unpaid_limit = sale.unpaid_limit,
            .challenge_alternative = sale.challenge_alternative,
            .name = sale.name,
            .campaign = sale.campaign,
            .tags = joined_lines(sale.tags),
            .audience = sale.audience,
            .listed_until = sale.listed_until,
            .list_version = sale.list_version};
}

}  // namespace sluice
