#include "api/shop/shop_window.hpp"

#include <charconv>

#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "app/catalog/json_view.hpp"
#include "domain/text_rules.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// A proxy or a CDN may serve it to everybody for a second, so that a million viewers cause one
/// request. A browser asks each time, so that a buyer sees the effect of their purchase.
constexpr std::string_view kFresh = "public, max-age=0, s-maxage=1";

void append_now(std::string& out, Timestamp now) {
    char text[kTimestampLength];
    write_rfc3339(now, text);
    out.append("\"now\":\"").append(text, sizeof text).append("\"");
}

void append_number(std::string& out, std::int64_t number) {
    char digits[20];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// The part that depends on the moment, behind the text that was made once.
void append_moment(std::string& out, const DisplayedSale& displayed, const Stock& stock,
                   Timestamp now) {
    append_number(out, stock.total);
    out.append(",\"left\":");
    append_number(out, stock.left);
    out.append(",\"held\":");
    append_number(out, stock.held);
    out.append(",\"sold\":");
    append_number(out, stock.sold);
    out.append("},\"state\":\"").append(to_string(state_at(displayed.sale, stock, now)));
    out.append("\"");
}

/// Appends a list that was read with one row more than the page holds: that row shows that there is
/// a next page.
template <class Rows, class Append, class IdOf>
void append_list(std::string& out, std::string_view name, const Rows& rows, std::size_t limit,
                 Timestamp now, Append append, IdOf id_of) {
    out.append("{\"").append(name).append("\":[");
    const auto shown = std::min(rows.size(), limit);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) out += ",";
        append(rows[i]);
    }
    out += "],\"next_cursor\":";
    out += rows.size() > limit ? "\"" + id_of(rows[limit - 1]).text() + "\"" : "null";
    out += ",";
    append_now(out, now);
    out += "}";
}

void refuse_query(http::Exchange& exchange, std::vector<FieldError> errors) {
    answer(exchange, Refusal{Reason::invalid, Detail::none, std::move(errors), {}});
}

/// A label that a sale may have; nothing where the parameter is absent.
std::optional<std::string> label_of(const http::Exchange& exchange, const char* name,
                                    std::size_t most, std::vector<FieldError>& errors) {
    const auto given = exchange.request.parameter(name);
    if (given.absent()) return std::nullopt;
    const auto label = trimmed(given.text);
    const auto length = count_characters(label);
    if (length < 1 || length > most)
        errors.push_back({name, Complaint(Rule::characters_from_to, 1, most)});
    return std::string(label);
}

/// Nothing when a parameter is wrong; then the exchange holds the answer. The same below.
std::optional<SaleFilter> filter_of(http::Exchange& exchange) {
    SaleFilter filter;
    std::vector<FieldError> errors;
    if (const auto wanted = exchange.request.parameter("state"); !wanted.absent()) {
        filter.state = parse_sale_state(wanted.text);
        if (!filter.state)
            errors.push_back(
                {"state", Complaint(Rule::one_of, "scheduled, open, sold_out, paused, ended")});
    }
    filter.campaign = label_of(exchange, "campaign", kMaxCampaignLength, errors);
    filter.tag = label_of(exchange, "tag", kMaxTagLength, errors);
    if (errors.empty()) return filter;
    refuse_query(exchange, std::move(errors));
    return std::nullopt;
}

std::optional<ArchivedItems> archived_of(http::Exchange& exchange) {
    const auto wanted = exchange.request.parameter("archived");
    if (wanted.absent()) return ArchivedItems::none;
    const auto archived = parse_archived_items(wanted.text);
    if (!archived)
        refuse_query(exchange, {{"archived", Complaint(Rule::one_of, "none, only, all")}});
    return archived;
}

}  // namespace

void append_sale(std::string& out, const DisplayedSale& displayed, Timestamp now) {
    append_sale(out, displayed, displayed.stock->now(), now);
}

void append_sale(std::string& out, const DisplayedSale& displayed, const Stock& stock,
                 Timestamp now) {
    out += displayed.json;
    append_moment(out, displayed, stock, now);
    out += ",";
    append_now(out, now);
    out += "}";
}

void append_item(std::string& out, const DisplayedItem& displayed, Timestamp now) {
    auto json = to_json(*displayed.item);
    json["sold"] = displayed.sold;
    out += boost::json::serialize(json);
    out.pop_back();
    out += ",\"sale\":";
    if (displayed.sale) {
        out += displayed.sale->json_bare;
        append_moment(out, *displayed.sale, displayed.sale->stock->now(), now);
        out += "}";
    } else {
        out += "null";
    }
    out += "}";
}

http::Pending ShopWindow::show_time(http::Exchange& exchange) {
    auto& body = exchange.response.body;
    body += "{";
    append_now(body, clock_.now());
    body += "}";
    return std::nullopt;
}

http::Pending ShopWindow::show_sale(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    exchange.response.cache_control = kFresh;
    append_sale(exchange.response.body, *displayed, clock_.now());
    return std::nullopt;
}

http::Pending ShopWindow::note_visit(http::Exchange& exchange) {
    if (sale_in_path(exchange, catalog_)) exchange.response.status = 204;
    return std::nullopt;
}

http::Pending ShopWindow::list_sales(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto filter = filter_of(exchange);
    if (!filter) return std::nullopt;
    const auto now = clock_.now();
    const auto before = page->before ? std::optional(SaleId{*page->before}) : std::nullopt;
    const auto sales = catalog_.list_sales(*filter, before, page->limit + 1, now);
    exchange.response.cache_control = kFresh;
    auto& body = exchange.response.body;
    append_list(
        body, "sales", sales, page->limit, now,
        [&](const auto& displayed) {
            body += displayed->json;
            append_moment(body, *displayed, displayed->stock->now(), now);
            body += "}";
        },
        [](const auto& displayed) { return displayed->sale.id; });
    return std::nullopt;
}

http::Pending ShopWindow::show_item(http::Exchange& exchange) {
    const auto id = gate::find_id_in_path<ItemId>(exchange);
    const auto now = clock_.now();
    const auto displayed = id ? catalog_.displayed_item(*id, now) : std::nullopt;
    if (!displayed) {
        exchange.refuse(Code::not_found);
        return std::nullopt;
    }
    exchange.response.cache_control = kFresh;
    append_item(exchange.response.body, *displayed, now);
    return std::nullopt;
}

http::Pending ShopWindow::list_items(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto archived = archived_of(exchange);
    if (!archived) return std::nullopt;
    const auto now = clock_.now();
    const auto before = page->before ? std::optional(ItemId{*page->before}) : std::nullopt;
    const auto items = catalog_.list_items(before, page->limit + 1, now, *archived);
    exchange.response.cache_control = kFresh;
    auto& body = exchange.response.body;
    append_list(
        body, "items", items, page->limit, now,
        [&](const DisplayedItem& displayed) { append_item(body, displayed, now); },
        [](const DisplayedItem& displayed) { return displayed.item->id; });
    return std::nullopt;
}

}  // namespace sluice::api
