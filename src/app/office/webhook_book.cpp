#include "app/office/webhook_book.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"
#include "base/public_address.hpp"
#include "base/web_url.hpp"

namespace sluice {
namespace {

std::vector<EventType> all_events() {
    std::vector<EventType> all;
    for (std::size_t i = 0; i < kEventTypes; ++i) all.push_back(static_cast<EventType>(i));
    return all;
}

/// In the order of EventType, each once; nullopt if any name is unknown.
std::optional<std::vector<EventType>> parse_events(const std::vector<std::string>& texts) {
    std::vector<EventType> events;
    for (const auto& text : texts) {
        const auto type = parse_event_type(text);
        if (!type) return std::nullopt;
        events.push_back(*type);
    }
    std::ranges::sort(events);
    const auto repeated = std::ranges::unique(events);
    events.erase(repeated.begin(), repeated.end());
    return events;
}

}  // namespace

Outcome<Webhook> WebhookBook::draft(const Wish& wish) const {
    auto errors = check_url(wish.url);
    const auto events = wish.events ? parse_events(*wish.events) : all_events();
    if (!events || events->empty())
        errors.push_back(
            {"events", Complaint(Rule::not_events,
                                 "order.created, order.paid, order.expired, order.cancelled, "
                                 "order.refunded, sale.sold_out, sale.reopened")});
    if (!errors.empty()) return refuse(std::move(errors));
    const auto now = clock_.now();
    return Webhook{
        .id = WebhookId{ids_.next(now)}, .url = wish.url, .events = *events, .created_at = now};
}

Task<Outcome<Created>> WebhookBook::create(Webhook webhook, Actor actor,
                                           std::optional<Receipt> receipt) {
    const auto at = webhook.created_at;
    auto deed = make_deed(actor, DeedId{ids_.next(at)}, at, "webhook.create", webhook.id.text(), "",
                          boost::json::serialize(to_json(webhook)));
    auto created = co_await ledger_.add(std::move(webhook), std::move(deed), std::move(receipt));
    if (created) on_news_();
    co_return created;
}

Task<Outcome<Done>> WebhookBook::remove(WebhookId id, Actor actor) {
    const auto webhooks = co_await ledger_.list();
    const auto found = std::ranges::find(webhooks, id, &Webhook::id);
    if (found == webhooks.end()) co_return refuse(Reason::not_found);
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "webhook.delete", id.text(),
                          boost::json::serialize(to_json(*found)), "");
    auto removed = co_await ledger_.remove(id, std::move(deed));
    co_return removed;
}

Task<Outcome<Delivery>> WebhookBook::resend(DeliveryId id, Actor actor) {
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "webhook.resend", id.text(), "", "");
    auto resent = co_await ledger_.resend(id, std::move(deed));
    if (resent) on_news_();
    co_return resent;
}

std::vector<FieldError> WebhookBook::check_url(const std::string& text) const {
    const auto url = WebUrl::parse(text);
    if (!url) return {{"url", Complaint(Rule::not_webhook_url, 2048)}};
    const auto address = Address::parse(url->host);
    if (address && !is_reachable(*address, allowed_)) return {{"url", Rule::private_address}};
    if (!url->secure && allowed_.empty()) return {{"url", Rule::insecure_address}};
    return {};
}

}  // namespace sluice
