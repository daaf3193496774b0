#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr WebhookId kHook{5};

/// The triggers date events by the machine's clock, which no test sets: so what is due is asked for
/// long after it.
const Timestamp kLater = from_millis(4'000'000'000'000);

class WebhookLedgerContract : public contract::OrderContract {
  protected:
    WebhookLedger& webhooks = ledgers->all().webhooks();

    void SetUp() override {
        OrderContract::SetUp();
        ASSERT_TRUE(add(kHook));
    }

    Webhook make_webhook(WebhookId id, std::vector<EventType> events) {
        return {.id = id,
                .url = "https://shop.example/" + id.text(),
                .events = std::move(events),
                .created_at = now};
    }
    Outcome<Created> add(WebhookId id, std::vector<EventType> events = every_event()) {
        return run_to_end(
            webhooks.add(make_webhook(id, std::move(events)), make_deed(++deeds_), std::nullopt));
    }
    static std::vector<EventType> every_event() {
        std::vector<EventType> all;
        for (std::size_t i = 0; i < kEventTypes; ++i) all.push_back(static_cast<EventType>(i));
        return all;
    }
    std::vector<WebhookLedger::DueDelivery> due(WebhookId id = kHook, Timestamp at = kLater) {
        for (auto& receiver : run_to_end(webhooks.due(at, 100)))
            if (receiver.webhook.id == id) return receiver.due;
        return {};
    }
    std::vector<EventType> due_types(WebhookId id = kHook) {
        std::vector<EventType> types;
        for (const auto& each : due(id)) types.push_back(each.event.type);
        return types;
    }
    std::vector<Delivery> listed(std::optional<DeliveryState> state = std::nullopt) {
        return run_to_end(webhooks.deliveries(kHook, state, std::nullopt, 100)).value();
    }
    void note(EventId event, DeliveryState state, std::optional<Timestamp> again = std::nullopt) {
        run_to_end(webhooks.note(
            {kHook, event},
            {.at = kLater, .state = state, .again = again, .status = 500, .error = "why"}));
    }
    void deliver(EventId event) { note(event, DeliveryState::delivered); }
    void cancel(const Order& order) {
        ASSERT_TRUE(run_to_end(orders.cancel(order.id, order.buyer, ledgers->clock().now())));
    }

  private:
    std::int64_t deeds_ = 5'000;
};

TEST_P(WebhookLedgerContract, KnowsItsWebhooks) {
    ASSERT_TRUE(add(WebhookId{6}, {EventType::order_paid, EventType::sale_sold_out}));
    const auto listed = run_to_end(webhooks.list());
    ASSERT_THAT(listed, SizeIs(2));
    EXPECT_EQ(listed[0].id, WebhookId{6});
    EXPECT_EQ(listed[0].url, "https://shop.example/6");
    EXPECT_THAT(listed[0].events, ElementsAre(EventType::order_paid, EventType::sale_sold_out));
    EXPECT_EQ(listed[0].created_at, now);
    EXPECT_EQ(listed[1].events, every_event());
}

TEST_P(WebhookLedgerContract, HoldsOnlySoMany) {
    for (std::int64_t id = 6; id < 5 + static_cast<std::int64_t>(kMostWebhooks); ++id)
        ASSERT_TRUE(add(WebhookId{id}));
    const auto refused = add(WebhookId{100});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail, Detail::too_many_webhooks);
    ASSERT_TRUE(run_to_end(webhooks.remove(WebhookId{6}, make_deed(9'000))));
    EXPECT_TRUE(add(WebhookId{100}));
}

TEST_P(WebhookLedgerContract, MakesOneForOneReceipt) {
    const auto make = [&](WebhookId id, std::int64_t deed) {
        return run_to_end(webhooks.add(make_webhook(id, every_event()), make_deed(deed),
                                       make_receipt("k", 1, "first")));
    };
    EXPECT_FALSE(make(WebhookId{7}, 9'001)->first_answer);
    EXPECT_EQ(make(WebhookId{8}, 9'002)->first_answer, "first");
    EXPECT_THAT(run_to_end(webhooks.list()), SizeIs(2));
}

TEST_P(WebhookLedgerContract, TellsOfAnOrderFromItsOwnTransactionOn) {
    const auto order = buy(1);
    const auto waiting = due();
    ASSERT_THAT(waiting, SizeIs(1));
    EXPECT_EQ(waiting[0].event.type, EventType::order_created);
    ASSERT_TRUE(waiting[0].event.order);
    EXPECT_EQ(waiting[0].event.order->id, order.id);
    EXPECT_EQ(waiting[0].event.order->state, OrderState::pending);
    EXPECT_EQ(waiting[0].attempts, 0);
    EXPECT_EQ(waiting[0].since, waiting[0].event.at);
}

TEST_P(WebhookLedgerContract, APurchaseThatIsRefusedTellsNothing) {
    submit(make_ticket(1, 1, 4));  // over the limit
    EXPECT_THAT(listed(), IsEmpty());
}

TEST_P(WebhookLedgerContract, ALaterEventOfAnOrderWaitsForTheEarlier) {
    const auto order = buy(1);
    const auto other = buy(2);
    cancel(order);
    ASSERT_THAT(due(), SizeIs(2)) << "the cancellation is behind the order";
    const auto first = due()[0].event;
    EXPECT_EQ(first.order->state, OrderState::pending) << "as it was then";

    note(first.id, DeliveryState::pending, kLater + seconds{1});
    ASSERT_THAT(due(), SizeIs(1)) << "put off, with what is behind it";
    EXPECT_EQ(due()[0].event.order->id, other.id);
    EXPECT_EQ(run_to_end(webhooks.due(kLater, 100))[0].next, kLater + seconds{1});

    deliver(first.id);
    const auto next = due();
    ASSERT_THAT(next, SizeIs(2));
    EXPECT_EQ(next[1].event.type, EventType::order_cancelled);
    EXPECT_EQ(next[1].event.order->state, OrderState::cancelled);
    deliver(next[1].event.id);
    EXPECT_THAT(due(), SizeIs(1));
}

TEST_P(WebhookLedgerContract, ADeadOneLetsTheNextGo) {
    const auto order = buy(1);
    cancel(order);
    note(due()[0].event.id, DeliveryState::dead);
    EXPECT_THAT(due_types(), ElementsAre(EventType::order_cancelled));
}

TEST_P(WebhookLedgerContract, EachWebhookHearsWhatItWantsAtItsOwnPace) {
    ASSERT_TRUE(add(WebhookId{6}, {EventType::order_cancelled}));
    const auto order = buy(1);
    EXPECT_THAT(due_types(WebhookId{6}), IsEmpty());
    cancel(order);
    EXPECT_THAT(due_types(), ElementsAre(EventType::order_created));
    EXPECT_THAT(due_types(WebhookId{6}), ElementsAre(EventType::order_cancelled));
    deliver(due()[0].event.id);
    EXPECT_EQ(due()[0].event.id, due(WebhookId{6})[0].event.id) << "it is one event";
}

TEST_P(WebhookLedgerContract, TellsWhenASaleSellsOutAndReopens) {
    ASSERT_TRUE(add(WebhookId{6}, {EventType::sale_sold_out, EventType::sale_reopened}));
    change_sale(
        [](Sale& changed) { changed.stock = {.total = 1, .left = 1, .held = 0, .sold = 0}; });
    EXPECT_THAT(due_types(WebhookId{6}), IsEmpty());
    const auto order = buy(1);
    auto told = due(WebhookId{6});
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_EQ(told[0].event.type, EventType::sale_sold_out);
    EXPECT_EQ(told[0].event.sale, sale.id);
    EXPECT_FALSE(told[0].event.order);
    EXPECT_EQ(told[0].event.stock, (Stock{.total = 1, .left = 0, .held = 1, .sold = 0}));
    cancel(order);
    EXPECT_THAT(due_types(WebhookId{6}), ElementsAre(EventType::sale_sold_out))
        << "the news of one sale come in order too";
    run_to_end(webhooks.note({WebhookId{6}, told[0].event.id}, {.at = kLater,
                                                                .state = DeliveryState::delivered,
                                                                .again = std::nullopt,
                                                                .status = 200,
                                                                .error = std::nullopt}));
    told = due(WebhookId{6});
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_EQ(told[0].event.type, EventType::sale_reopened);
    EXPECT_EQ(told[0].event.stock, (Stock{.total = 1, .left = 1, .held = 0, .sold = 0}));
}

TEST_P(WebhookLedgerContract, TellsOfExpiry) {
    const auto order = buy(1);
    deliver(due()[0].event.id);
    run_to_end(orders.expire(order.expires_at, 10, {}));
    EXPECT_THAT(due_types(), ElementsAre(EventType::order_expired));
}

TEST_P(WebhookLedgerContract, ListsDeliveriesByState) {
    for (std::int64_t buyer = 1; buyer <= 3; ++buyer) buy(buyer);
    const auto all = due();
    deliver(all[0].event.id);
    note(all[1].event.id, DeliveryState::dead);
    note(all[2].event.id, DeliveryState::pending, kLater);

    const auto newest_first = listed();
    ASSERT_THAT(newest_first, SizeIs(3));
    EXPECT_EQ(newest_first[0].id.event, all[2].event.id);
    EXPECT_EQ(newest_first[0].state, DeliveryState::pending);
    EXPECT_EQ(newest_first[0].next_attempt_at, kLater);
    EXPECT_EQ(newest_first[0].last_attempt_at, kLater);
    EXPECT_EQ(newest_first[0].last_status, 500);
    EXPECT_EQ(newest_first[0].last_error, "why");
    EXPECT_EQ(newest_first[0].attempts, 1);
    EXPECT_EQ(newest_first[2].delivered_at, kLater);
    EXPECT_FALSE(newest_first[1].next_attempt_at);
    EXPECT_EQ(newest_first[1].order, all[1].event.order->id);

    EXPECT_EQ(listed(DeliveryState::delivered).at(0).id.event, all[0].event.id);
    EXPECT_EQ(listed(DeliveryState::dead).at(0).id.event, all[1].event.id);
    EXPECT_EQ(listed(DeliveryState::pending).at(0).id.event, all[2].event.id);
    EXPECT_THAT(run_to_end(webhooks.deliveries(kHook, std::nullopt, all[2].event.id, 1)).value(),
                SizeIs(1));
    EXPECT_FALSE(run_to_end(webhooks.deliveries(WebhookId{9}, std::nullopt, std::nullopt, 1)));
}

TEST_P(WebhookLedgerContract, ResendsInOrder) {
    const auto order = buy(1);
    cancel(order);
    const auto first = due()[0].event.id;
    note(first, DeliveryState::dead);
    const auto second = due()[0].event.id;

    auto deed = make_deed(9'004);
    deed.at = kLater;
    const auto resent = run_to_end(webhooks.resend({kHook, first}, deed));
    ASSERT_TRUE(resent);
    EXPECT_EQ(resent->state, DeliveryState::pending);
    EXPECT_EQ(resent->attempts, 0);
    ASSERT_THAT(due(), SizeIs(1)) << "the later one waits again";
    EXPECT_EQ(due()[0].event.id, first);
    EXPECT_EQ(due()[0].since, kLater) << "it has all its time again";

    // A delivery of the later one that was under way is noted, and does not overtake the earlier
    // one.
    note(second, DeliveryState::pending, kLater);
    ASSERT_THAT(due(), SizeIs(1));
    deliver(first);
    EXPECT_EQ(due().at(0).event.id, second);
    const auto trail = run_to_end(ledgers->all().trail().list({}, 1));
    EXPECT_EQ(trail.at(0).deed.before, R"({"state":"dead","attempts":1})");
    EXPECT_EQ(trail.at(0).deed.after, R"({"state":"pending","attempts":0})");
    EXPECT_FALSE(run_to_end(webhooks.resend({kHook, EventId{1}}, make_deed(9'005))));
    EXPECT_FALSE(run_to_end(webhooks.resend({WebhookId{9}, first}, make_deed(9'006))));
}

TEST_P(WebhookLedgerContract, NotesNothingForOneThatIsDone) {
    buy(1);
    const auto event = due()[0].event.id;
    deliver(event);
    note(event, DeliveryState::pending, kLater);
    EXPECT_EQ(listed().at(0).state, DeliveryState::delivered);
    EXPECT_EQ(listed().at(0).attempts, 1);
}

TEST_P(WebhookLedgerContract, ADeletedOneHearsNothingMoreAndIsForgottenInBites) {
    for (std::int64_t buyer = 1; buyer <= 3; ++buyer) buy(buyer);
    ASSERT_TRUE(run_to_end(webhooks.remove(kHook, make_deed(9'007))));
    EXPECT_FALSE(run_to_end(webhooks.remove(kHook, make_deed(9'008))));
    EXPECT_THAT(run_to_end(webhooks.list()), IsEmpty());
    EXPECT_THAT(run_to_end(webhooks.due(kLater, 100)), IsEmpty());
    buy(4);
    EXPECT_EQ(run_to_end(webhooks.backlog()).pending, 3U) << "nothing new";
    EXPECT_EQ(run_to_end(webhooks.prune(from_millis(0), from_millis(0), 2)), 2U);
    EXPECT_EQ(run_to_end(webhooks.prune(from_millis(0), from_millis(0), 2)), 1U);
    EXPECT_EQ(run_to_end(webhooks.backlog()).pending, 0U);
    EXPECT_EQ(run_to_end(webhooks.prune(kLater, kLater, 100)), 0U);
}

TEST_P(WebhookLedgerContract, ForgetsByAge) {
    for (std::int64_t buyer = 1; buyer <= 3; ++buyer) buy(buyer);
    const auto all = due();
    deliver(all[0].event.id);
    note(all[1].event.id, DeliveryState::dead);
    const auto long_ago = from_millis(0);
    EXPECT_EQ(run_to_end(webhooks.prune(long_ago, long_ago, 100)), 0U);
    EXPECT_EQ(run_to_end(webhooks.prune(kLater, long_ago, 100)), 1U);
    EXPECT_THAT(listed(), SizeIs(2)) << "the dead are kept longer";
    EXPECT_EQ(run_to_end(webhooks.prune(kLater, kLater, 100)), 1U);
    EXPECT_THAT(due(), SizeIs(1)) << "what is pending is never forgotten";
}

TEST_P(WebhookLedgerContract, IdsOfEventsNeverComeAgain) {
    buy(1);
    const auto first = due()[0].event.id;
    deliver(first);
    run_to_end(webhooks.prune(kLater, kLater, 100));
    EXPECT_THAT(listed(), IsEmpty());
    buy(2);
    EXPECT_GT(due()[0].event.id, first);
}

TEST_P(WebhookLedgerContract, CountsItsBacklog) {
    EXPECT_EQ(run_to_end(webhooks.backlog()).pending, 0U);
    EXPECT_FALSE(run_to_end(webhooks.backlog()).oldest);
    buy(1);
    buy(2);
    const auto backlog = run_to_end(webhooks.backlog());
    EXPECT_EQ(backlog.pending, 2U);
    EXPECT_EQ(backlog.oldest, due()[0].event.at);
}

RUN_ON_EVERY_ADAPTER(WebhookLedgerContract);

}  // namespace
}  // namespace sluice
