#include "domain/webhook.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Webhook, EventsHaveNames) {
    for (std::size_t i = 0; i < kEventTypes; ++i) {
        const auto type = static_cast<EventType>(i);
        EXPECT_EQ(parse_event_type(to_string(type)), type);
    }
    EXPECT_FALSE(parse_event_type("order.pending"));
    EXPECT_FALSE(parse_event_type(""));
}

TEST(Webhook, AnOrderIsAsItWasThen) {
    Order order;
    order.state = OrderState::refunded;
    order.paid_at = from_millis(5);
    EXPECT_EQ(for_event(EventType::order_created, order).state, OrderState::pending);
    EXPECT_FALSE(for_event(EventType::order_created, order).paid_at);
    EXPECT_EQ(for_event(EventType::order_paid, order).state, OrderState::paid);
    EXPECT_EQ(for_event(EventType::order_paid, order).paid_at, from_millis(5));
    EXPECT_EQ(for_event(EventType::order_refunded, order).state, OrderState::refunded);
    EXPECT_EQ(for_event(EventType::order_expired, order).state, OrderState::expired);
    EXPECT_EQ(for_event(EventType::order_cancelled, order).state, OrderState::cancelled);
}

TEST(Webhook, ThereAreOnlySoMany) {
    EXPECT_FALSE(why_no_further_webhook(0));
    EXPECT_FALSE(why_no_further_webhook(kMostWebhooks - 1));
    EXPECT_EQ(why_no_further_webhook(kMostWebhooks)->detail, Detail::too_many_webhooks);
    EXPECT_EQ(why_no_further_webhook(kMostWebhooks)->reason, Reason::conflict);
}

TEST(Webhook, DeliveriesHaveIds) {
    const DeliveryId id{WebhookId{12}, EventId{345}};
    EXPECT_EQ(id.text(), "12-345");
    EXPECT_EQ(DeliveryId::parse("12-345"), id);
    for (const auto* text : {"", "12", "12-", "-345", "12-345-6", "012-3", "a-b", "12--3"})
        EXPECT_FALSE(DeliveryId::parse(text)) << text;
}

TEST(Webhook, SecretsDifferByWebhookAndInstallation) {
    const WebhookSecrets secrets({1}), others({2});
    EXPECT_EQ(secrets.of(WebhookId{1}), secrets.of(WebhookId{1}));
    EXPECT_NE(secrets.of(WebhookId{1}), secrets.of(WebhookId{2}));
    EXPECT_NE(secrets.of(WebhookId{1}), others.of(WebhookId{1}));
    EXPECT_EQ(secrets.of(WebhookId{1}).size(), 6U + 43U);
}

}  // namespace
}  // namespace sluice
