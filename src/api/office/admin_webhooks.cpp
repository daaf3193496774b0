#include "api/office/admin_webhooks.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "app/catalog/json_view.hpp"
#include "base/check.hpp"

namespace sluice::api {
namespace {

/// The `?state=` of a list; false when it is not valid, and the exchange holds the problem.
bool read_delivery_state(http::Exchange& exchange, std::optional<DeliveryState>& state) {
    const auto wanted = exchange.request.parameter("state");
    if (wanted.absent()) return true;
    state = parse_delivery_state(wanted.text);
    if (state) return true;
    answer(exchange, Refusal{Reason::invalid,
                             Detail::none,
                             {{"state", Complaint(Rule::one_of, "pending, delivered, dead")}},
                             {}});
    return false;
}

}  // namespace

http::Pending AdminWebhooks::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto before = page->before ? std::optional(WebhookId{*page->before}) : std::nullopt;
    return show_page(exchange, before, page->limit);
}

Task<> AdminWebhooks::show_page(http::Exchange& exchange, std::optional<WebhookId> before,
                                std::size_t limit) {
    auto webhooks = co_await ledger_.list();
    if (before)
        std::erase_if(webhooks, [&](const Webhook& webhook) { return webhook.id >= *before; });
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(webhooks.size(), limit); ++i)
        rows.push_back(to_json(webhooks[i]));
    boost::json::object json{{"webhooks", std::move(rows)}, {"next_cursor", nullptr}};
    if (webhooks.size() > limit) json["next_cursor"] = webhooks[limit - 1].id.text();
    answer(exchange, 200, json);
}

http::Pending AdminWebhooks::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    WebhookBook::Wish wish{.url = in.required_text("url"), .events = in.texts("events")};
    if (!in.finish()) return std::nullopt;
    std::optional<Receipt> receipt;
    if (!receipts_.make(exchange, exchange.caller->id.text(), receipt)) return std::nullopt;
    return add(exchange, std::move(wish), std::move(receipt));
}

Task<> AdminWebhooks::add(http::Exchange& exchange, WebhookBook::Wish wish,
                          std::optional<Receipt> receipt) {
    const bool replayed = co_await receipts_.replay(exchange, receipt);
    if (replayed) {
        add_secret(exchange);
        co_return;
    }
    const auto webhook = book_.draft(wish);
    if (!webhook) {
        answer(exchange, webhook.error());
        co_return;
    }
    auto body = boost::json::serialize(to_json(*webhook));
    if (receipt) receipt->answer = body;
    auto actor = actor_of(exchange);
    const auto created = co_await book_.create(*webhook, std::move(actor), std::move(receipt));
    answer_created(exchange, created, std::move(body));
    add_secret(exchange);
}

/// The secret is added to the answer only, also to a repeated one: the stored receipt does not
/// contain it.
void AdminWebhooks::add_secret(http::Exchange& exchange) const {
    if (exchange.response.status != 201) return;
    auto json = boost::json::parse(exchange.response.body).as_object();
    const auto id = WebhookId::parse(json.at("id").as_string());
    CHECK(id.has_value(), "the answer is one of ours");
    json["secret"] = book_.secret_of(*id);
    exchange.response.body = boost::json::serialize(json);
}

http::Pending AdminWebhooks::remove(http::Exchange& exchange) {
    const auto id = id_in_path<WebhookId>(exchange);
    if (!id) return std::nullopt;
    return carry_out_removal(exchange, *id);
}

Task<> AdminWebhooks::carry_out_removal(http::Exchange& exchange, WebhookId id) {
    auto actor = actor_of(exchange);
    const auto removed = co_await book_.remove(id, std::move(actor));
    if (removed)
        exchange.response.status = 204;
    else
        answer(exchange, removed.error());
}

http::Pending AdminWebhooks::list_deliveries(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    std::optional<DeliveryState> state;
    if (!read_delivery_state(exchange, state)) return std::nullopt;
    const auto id = id_in_path<WebhookId>(exchange);
    if (!id) return std::nullopt;
    const auto before = page->before ? std::optional(EventId{*page->before}) : std::nullopt;
    return show_deliveries(exchange, *id, state, before, page->limit);
}

Task<> AdminWebhooks::show_deliveries(http::Exchange& exchange, WebhookId id,
                                      std::optional<DeliveryState> state,
                                      std::optional<EventId> before, std::size_t limit) {
    const auto found = co_await ledger_.deliveries(id, state, before, limit + 1);
    if (!found) {
        answer(exchange, found.error());
        co_return;
    }
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(found->size(), limit); ++i)
        rows.push_back(to_json((*found)[i]));
    boost::json::object json{{"deliveries", std::move(rows)}, {"next_cursor", nullptr}};
    if (found->size() > limit) json["next_cursor"] = (*found)[limit - 1].id.event.text();
    answer(exchange, 200, json);
}

http::Pending AdminWebhooks::resend(http::Exchange& exchange) {
    const auto id = id_in_path<DeliveryId>(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return carry_out_resend(exchange, *id);
}

Task<> AdminWebhooks::carry_out_resend(http::Exchange& exchange, DeliveryId id) {
    auto actor = actor_of(exchange);
    const auto resent = co_await book_.resend(id, std::move(actor));
    if (resent)
        answer(exchange, 200, to_json(*resent));
    else
        answer(exchange, resent.error());
}

}  // namespace sluice::api
