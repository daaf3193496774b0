#include "api/office/admin_holds.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"

namespace sluice::api {
namespace {

namespace json = boost::json;

json::object to_json(const HoldsOfSale::Age& age) {
    return {{"minutes", age.minutes}, {"orders", age.held.orders}, {"units", age.held.units}};
}

json::object to_json(const HoldsOfSale::Buyer& buyer, bool blocked) {
    json::value network;
    if (buyer.network) network = to_string(BlockSubject(*buyer.network));
    return {{"buyer_id", buyer.id.text()},
            {"buyer_phone", buyer.phone},
            {"buyer_name", buyer.name},
            {"lapses", buyer.lapses},
            {"pending_orders", buyer.pending.orders},
            {"pending_units", buyer.pending.units},
            {"paid_orders", buyer.paid},
            {"network", std::move(network)},
            {"blocked", blocked}};
}

json::object to_json(const HoldsOfSale::Source& source, bool blocked) {
    return {{"network", to_string(BlockSubject(source.network))},
            {"buyers", source.buyers},
            {"lapses", source.lapses},
            {"pending_orders", source.pending.orders},
            {"pending_units", source.pending.units},
            {"blocked", blocked}};
}

template <class Row>
json::array rows_of(const std::vector<Row>& rows, const std::vector<bool>& blocked) {
    json::array all;
    for (std::size_t i = 0; i < rows.size(); ++i) all.push_back(to_json(rows[i], blocked[i]));
    return all;
}

}  // namespace

http::Pending AdminHolds::show(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    return look(exchange, sale->sale.id);
}

Task<> AdminHolds::look(http::Exchange& exchange, SaleId sale) {
    const auto shown = co_await desk_.show(sale);
    json::array ages;
    for (const auto& age : shown.holds.ages) ages.push_back(to_json(age));
    json::object answered{{"at", to_rfc3339(shown.at)},
                          {"ages", std::move(ages)},
                          {"buyers", rows_of(shown.holds.buyers, shown.buyers_blocked)},
                          {"networks", rows_of(shown.holds.networks, shown.networks_blocked)}};
    answer(exchange, 200, answered);
}

http::Pending AdminHolds::give_back(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    JsonReader in(exchange);
    const auto subject = parse_block_subject(in.required_text("subject"));
    HoldsDesk::Wish wish{.sale = sale->sale.id,
                         .of = {},
                         .block = in.yes_or_no("block").value_or(false),
                         .reason = in.text("reason").value_or("")};
    if (!in.finish()) return std::nullopt;
    if (!subject) {
        answer(exchange, subject.error());
        return std::nullopt;
    }
    wish.of = *subject;
    return carry_out(exchange, std::move(wish));
}

Task<> AdminHolds::carry_out(http::Exchange& exchange, HoldsDesk::Wish wish) {
    auto actor = actor_of(exchange);
    const auto given = co_await desk_.give_back(std::move(wish), std::move(actor), exchange.client);
    if (!given) {
        answer(exchange, given.error());
        co_return;
    }
    const json::object answered{{"blocked", given->blocked},
                                {"orders", given->held.orders},
                                {"units", given->held.units},
                                {"more", given->more}};
    answer(exchange, 200, answered);
}

}  // namespace sluice::api
