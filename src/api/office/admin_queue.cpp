#include "api/office/admin_queue.hpp"

#include <cmath>

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/shop/buying.hpp"
#include "base/check.hpp"

namespace sluice::api {
namespace {

boost::json::value seconds_or_null(const std::optional<std::chrono::milliseconds>& age) {
    if (!age) return nullptr;
    return std::chrono::floor<std::chrono::seconds>(*age).count();
}

boost::json::object to_json(const QueueFigures& figures) {
    const auto broker = figures.broker.value_or(BrokerState{});
    return {{"kind", figures.broker ? "rabbitmq" : "none"},
            {"connected", broker.is_connected},
            {"host", broker.host},
            {"problem", broker.problem},
            {"full", broker.is_full},
            {"messages", broker.messages},
            {"writers", broker.writers},
            {"under_way", figures.under_way},
            {"oldest_seconds", seconds_or_null(figures.oldest)},
            {"pace_per_second", std::round(figures.pace * 10) / 10},
            {"wait_seconds", figures.wait_seconds},
            {"unreadable", broker.unreadable},
            {"unconfirmed", broker.unconfirmed},
            {"confirmed_total", broker.confirmed},
            {"returned_total", broker.returned},
            {"refused_total", broker.refused},
            {"unanswered_total", broker.unanswered},
            {"redelivered_total", broker.redelivered}};
}

boost::json::object to_json(const ParkedTicket& parked) {
    const auto& ticket = parked.ticket;
    return {{"ticket", ticket.id.text()},
            {"sale_id", ticket.id.sale.text()},
            {"buyer_id", ticket.buyer.text()},
            {"quantity", ticket.quantity},
            {"claimed_at", to_rfc3339(ticket.claimed_at)},
            {"parked_at", to_rfc3339(parked.parked_at)},
            {"reason", parked.reason},
            {"tries", parked.tries}};
}

void tell(http::Exchange& exchange, ParkedDesk::No no) {
    switch (no) {
        case ParkedDesk::No::never_parked:
            return exchange.refuse(http::Code::not_found);
        case ParkedDesk::No::not_written:
            return answer(exchange, http::Code::conflict, Remark::ticket_not_written);
        case ParkedDesk::No::is_ordered:
            return answer(exchange, http::Code::conflict, Remark::ticket_is_ordered);
    }
    CHECK(false, "an enum has one of its values");
}

}  // namespace

Task<> AdminQueue::look(http::Exchange& exchange) {
    const auto prepared = co_await tickets_.count_prepared();
    const auto parked = co_await parked_.count();
    const auto figures = read_queue_();
    auto json = to_json(figures);
    json["prepared"] = prepared;
    // Tickets that writers have parked in the broker will be moved into the table.
    json["parked"] = parked + (figures.broker ? figures.broker->parked : 0);
    answer(exchange, 200, json);
}

http::Pending AdminQueue::list_parked(http::Exchange& exchange) {
    const auto page = ticket_page_of(exchange);
    if (!page) return std::nullopt;
    return show_page(exchange, page->after, page->limit);
}

Task<> AdminQueue::show_page(http::Exchange& exchange, std::optional<TicketId> after,
                             std::size_t limit) {
    const auto parked = co_await parked_.list(after, limit + 1);
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(parked.size(), limit); ++i)
        rows.push_back(to_json(parked[i]));
    boost::json::object json{{"parked_tickets", std::move(rows)}, {"next_cursor", nullptr}};
    if (parked.size() > limit) json["next_cursor"] = parked[limit - 1].ticket.id.text();
    answer(exchange, 200, json);
}

http::Pending AdminQueue::retry(http::Exchange& exchange) {
    return decide(exchange, &ParkedDesk::retry);
}

http::Pending AdminQueue::refuse(http::Exchange& exchange) {
    return decide(exchange, &ParkedDesk::refuse);
}

http::Pending AdminQueue::decide(http::Exchange& exchange, Decide how) {
    const auto id = id_in_path<TicketId>(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return carry_out(exchange, *id, how);
}

Task<> AdminQueue::carry_out(http::Exchange& exchange, TicketId id, Decide how) {
    auto actor = actor_of(exchange);
    const auto decided = co_await (desk_.*how)(id, std::move(actor));
    if (decided)
        answer(exchange, 200, ticket_json(*decided));
    else
        tell(exchange, decided.error());
}

}  // namespace sluice::api
