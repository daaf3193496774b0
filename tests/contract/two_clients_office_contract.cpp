// Blocks, webhooks, sessions, settings, stats and the trail, for two clients at once.

#include <algorithm>
#include <atomic>
#include <set>

#include <gmock/gmock.h>

#include "app/office/block_book.hpp"
#include "app/office/limit_editor.hpp"
#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"
#include "support/hand_in.hpp"
#include "support/manual_clock.hpp"
#include "support/redis_node.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using contract::make_key;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class TwoClientsBlockContract : public contract::TwoClientsContract {
  protected:
    BlockLedger& blocks = ledgers->all().blocks();
    BlockLedger& others = other.ledgers.blocks();

    Block make_block(std::int64_t id, const std::string& reason) const {
        return {.id = BlockId{id},
                .subject = *parse_block_subject("203.0.113.7"),
                .reason = reason,
                .until = std::nullopt,
                .at = now,
                .by = UserId{1}};
    }
};

TEST_P(TwoClientsBlockContract, ASubjectHasOneBlock) {
    const auto deeds = deeds_written();
    const auto mine = make_block(1, "mine"), theirs = make_block(2, "theirs");
    const auto [one, two] = at_once(blocks.put(mine, std::nullopt, make_deed(7'001)),
                                    others.put(theirs, std::nullopt, make_deed(7'002)));
    ASSERT_NE(one.has_value(), two.has_value());
    EXPECT_EQ(run_to_end(blocks.load(now)), std::vector{one ? mine : theirs});
    EXPECT_EQ(deeds_written(), deeds + 1) << "a refusal leaves no trail";
}

TEST_P(TwoClientsBlockContract, ABlockIsReplacedOrRemoved) {
    const auto first = make_block(1, "first"), second = make_block(1, "second");
    ASSERT_TRUE(run_to_end(blocks.put(first, std::nullopt, make_deed(7'000))));
    const auto [put, removed] = at_once(blocks.put(second, first, make_deed(7'001)),
                                        others.remove(first, make_deed(7'002)));
    ASSERT_NE(put.has_value(), removed.has_value());
    const auto left = put ? std::vector{second} : std::vector<Block>{};
    EXPECT_EQ(run_to_end(blocks.load(now)), left);
}

TEST_P(TwoClientsBlockContract, ABlockIsRemovedOnce) {
    const auto block = make_block(1, "first");
    ASSERT_TRUE(run_to_end(blocks.put(block, std::nullopt, make_deed(7'000))));
    const auto deeds = deeds_written();
    const auto [one, two] =
        at_once(blocks.remove(block, make_deed(7'001)), others.remove(block, make_deed(7'002)));
    EXPECT_NE(one.has_value(), two.has_value());
    EXPECT_EQ(deeds_written(), deeds + 1);
}

/// The triggers date events by the machine's clock, which no test sets: so what is due is asked for
/// long after it.
const Timestamp kLater = from_millis(4'000'000'000'000);

class TwoClientsWebhookContract : public contract::TwoClientsContract {
  protected:
    WebhookLedger& webhooks = ledgers->all().webhooks();
    WebhookLedger& others = other.ledgers.webhooks();

    Webhook make_webhook(std::int64_t id) const {
        return {.id = WebhookId{id},
                .url = "https://shop.example/" + std::to_string(id),
                .events = {EventType::order_created, EventType::order_cancelled},
                .created_at = now};
    }
    void add(std::int64_t id) {
        ASSERT_TRUE(run_to_end(webhooks.add(make_webhook(id), make_deed(6'000 + id), {})));
    }
    std::vector<EventType> due_types() {
        std::vector<EventType> types;
        for (const auto& receiver : run_to_end(webhooks.due(kLater, 100)))
            for (const auto& each : receiver.due) types.push_back(each.event.type);
        return types;
    }
};

TEST_P(TwoClientsWebhookContract, TheLastPlaceIsTakenOnce) {
    for (std::int64_t id = 1; id < static_cast<std::int64_t>(kMostWebhooks); ++id) add(id);
    const auto [one, two] = at_once(webhooks.add(make_webhook(101), make_deed(7'001), {}),
                                    others.add(make_webhook(102), make_deed(7'002), {}));
    EXPECT_NE(one.has_value(), two.has_value());
    EXPECT_THAT(run_to_end(webhooks.list()), SizeIs(kMostWebhooks));
}

TEST_P(TwoClientsWebhookContract, OneKeyMakesOneWebhook) {
    const auto receipt = make_receipt("key", 1, "answer");
    const auto [one, two] = at_once(webhooks.add(make_webhook(1), make_deed(7'001), receipt),
                                    others.add(make_webhook(2), make_deed(7'002), receipt));
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->first_answer.has_value(), two->first_answer.has_value());
    EXPECT_THAT(run_to_end(webhooks.list()), SizeIs(1));
}

TEST_P(TwoClientsWebhookContract, AnAttemptThatBothMadeIsNotedOnce) {
    add(1);
    const auto order = buy(1);
    ASSERT_TRUE(run_to_end(orders.cancel(order.id, order.buyer, ledgers->clock().now())));
    const auto event = run_to_end(webhooks.due(kLater, 100)).at(0).due.at(0).event;
    ASSERT_EQ(event.type, EventType::order_created);
    const DeliveryId delivery{WebhookId{1}, event.id};
    const WebhookLedger::Attempt attempt{.at = kLater,
                                         .state = DeliveryState::delivered,
                                         .again = std::nullopt,
                                         .status = 200,
                                         .error = std::nullopt};
    at_once(webhooks.note(delivery, attempt), others.note(delivery, attempt));
    const auto listed =
        run_to_end(webhooks.deliveries(WebhookId{1}, DeliveryState::delivered, {}, 100)).value();
    ASSERT_THAT(listed, SizeIs(1));
    EXPECT_EQ(listed[0].attempts, 1);
    EXPECT_THAT(due_types(), ElementsAre(EventType::order_cancelled)) << "the next one may go";
}

TEST_P(TwoClientsWebhookContract, EveryOrderOfBothIsToldOnce) {
    add(1);
    std::vector<Task<OrderIntake::Taken>> purchases;
    for (std::int64_t buyer = 1; buyer <= 10; ++buyer)
        purchases.push_back(
            testing_support::hand_in(buyer % 2 == 0 ? intake : other.intake, make_ticket(buyer)));
    std::set<OrderId> ordered, told;
    for (const auto& taken : all_at_once(std::move(purchases)))
        ordered.insert(taken.record.order.value());
    const auto receivers = run_to_end(webhooks.due(kLater, 100));
    for (const auto& each : receivers.at(0).due)
        EXPECT_TRUE(told.insert(each.event.order->id).second) << "twice";
    EXPECT_EQ(told, ordered);
}

TEST_P(TwoClientsWebhookContract, AWebhookIsRemovedOnce) {
    add(1);
    const auto deeds = deeds_written();
    const auto [one, two] = at_once(webhooks.remove(WebhookId{1}, make_deed(7'001)),
                                    others.remove(WebhookId{1}, make_deed(7'002)));
    EXPECT_NE(one.has_value(), two.has_value());
    EXPECT_EQ(deeds_written(), deeds + 1);
}

/// User 1 has the password hash "hash".
class TwoClientsSessionContract : public contract::TwoClientsContract {
  protected:
    SessionLedger& sessions = ledgers->all().sessions();
    SessionLedger& others = other.ledgers.sessions();
    Timestamp expiry = now + 30min;

    OpenedSession opened(unsigned char key, std::string hash) const {
        return {.key = make_key(key),
                .user = UserId{1},
                .password_hash = std::move(hash),
                .expires_at = expiry,
                .ends_at = expiry + 24h};
    }
    void add(unsigned char key) { ASSERT_TRUE(run_to_end(sessions.add(opened(key, "hash")))); }
    std::optional<Timestamp> find_expiry(unsigned char key) {
        const auto found = run_to_end(sessions.find(make_key(key), now));
        return found ? std::optional(found->expires_at) : std::nullopt;
    }
};

TEST_P(TwoClientsSessionContract, NoExtensionIsTakenBack) {
    add(1);
    for (int round = 1; round <= 5; ++round) {
        const auto longer = expiry + 2s * round, shorter = longer - 1s;
        const std::vector<SessionLedger::Extension> first{{make_key(1), longer}};
        const std::vector<SessionLedger::Extension> second{{make_key(1), shorter}};
        const auto [one, two] = at_once(sessions.extend(first), others.extend(second));
        EXPECT_THAT(one, IsEmpty());
        EXPECT_THAT(two, IsEmpty());
        EXPECT_EQ(find_expiry(1), longer);
    }
}

TEST_P(TwoClientsSessionContract, NobodyStaysLoggedInByAnOldPassword) {
    for (unsigned char key = 1; key <= 5; ++key) {
        const auto hash = key == 1 ? std::string("hash") : "hash " + std::to_string(key - 1);
        const auto next = "hash " + std::to_string(key);
        const auto [session, is_set] = at_once(
            sessions.add(opened(key, hash)),
            other.ledgers.users().set_password_hash(UserId{1}, next, make_deed(7'000 + key)));
        EXPECT_TRUE(is_set);
        EXPECT_EQ(find_expiry(key), std::nullopt)
            << (session ? "it was ended" : "it was not opened");
    }
}

TEST_P(TwoClientsSessionContract, ASessionThatWasEndedIsNotExtended) {
    add(1);
    const std::vector<SessionLedger::Extension> extension{{make_key(1), expiry + 1h}};
    at_once(sessions.extend(extension), others.remove(make_key(1)));
    EXPECT_EQ(find_expiry(1), std::nullopt);
}

TEST_P(TwoClientsSessionContract, EachEndedSessionIsNamedOnce) {
    for (unsigned char key = 1; key <= 8; ++key) add(key);
    auto [one, two] = at_once(sessions.remove_all(UserId{1}, std::nullopt),
                              others.remove_all(UserId{1}, std::nullopt));
    EXPECT_EQ(one.size() + two.size(), 8U);
    one.insert(one.end(), two.begin(), two.end());
    EXPECT_EQ(std::set<SessionKey>(one.begin(), one.end()).size(), 8U);
}

TEST_P(TwoClientsSessionContract, WhatHasExpiredIsRemovedOnce) {
    for (unsigned char key = 1; key <= 8; ++key) add(key);
    const auto [one, two] = at_once(sessions.prune(expiry, 100), others.prune(expiry, 100));
    EXPECT_EQ(one + two, 8U);
}

class TwoClientsSettingsContract : public contract::TwoClientsContract {
  protected:
    SettingsLedger& settings = ledgers->all().settings();
    SettingsLedger& others = other.ledgers.settings();

    using Changes = std::vector<SettingsLedger::Change>;
    using Settings = std::vector<SettingsLedger::Setting>;
};

TEST_P(TwoClientsSettingsContract, BothHaveOneTicketKey) {
    const SettingsLedger::TicketKey mine{1}, theirs{2};
    const auto [one, two] = at_once(settings.ticket_key(mine), others.ticket_key(theirs));
    EXPECT_EQ(one, two);
    EXPECT_TRUE(one == mine || one == theirs);
    EXPECT_EQ(run_to_end(others.ticket_key({3})), one);
}

TEST_P(TwoClientsSettingsContract, AChangeIsNeverHalfOfEach) {
    for (std::int64_t round = 1; round <= 5; ++round) {
        const auto deeds = deeds_written();
        const Changes mine{{"a", 10 + round}, {"b", 10 + round}};
        const Changes theirs{{"b", 20 + round}, {"a", 20 + round}};
        at_once(settings.change(mine, make_deed(7'000 + 2 * round)),
                others.change(theirs, make_deed(7'001 + 2 * round)));
        const auto kept = run_to_end(settings.load());
        ASSERT_THAT(kept, SizeIs(2));
        EXPECT_EQ(kept[0].value, kept[1].value);
        EXPECT_EQ(deeds_written(), deeds + 2);
    }
}

TEST_P(TwoClientsSettingsContract, NoChangeOfTheOtherIsLost) {
    const Changes mine{{"a", 1}}, theirs{{"b", 2}};
    at_once(settings.change(mine, make_deed(7'001)), others.change(theirs, make_deed(7'002)));
    EXPECT_EQ(run_to_end(settings.load()), (Settings{{"a", 1}, {"b", 2}}));
}

class TwoClientsNewsContract : public contract::TwoClientsContract {};

TEST_P(TwoClientsNewsContract, LimitsAndBlocksOfTheOtherAreNoticedAndInForce) {
    RateLimits in_force;
    IdSource ids{1};
    testing_support::ManualClock clock;
    LimitEditor limits{ledgers->all().settings(), RateLimits{},
                       [&](const RateLimits& changed) { in_force = changed; }, clock, ids};
    std::size_t blocked = 0;
    BlockBook blocks{ledgers->all().blocks(), clock, ids,
                     [&](std::span<const Block> all) { blocked = all.size(); }};
    std::atomic<bool> is_noticed = false;
    auto subscription = ledgers->all().on_external_change([&] { is_noticed = true; });
    std::atomic<bool> is_noticed_beside = false;
    auto beside = ledgers->all().on_external_change([&] { is_noticed_beside = true; });
    // As a server does: each time that it notices another process's commit, it reads everything
    // again.
    const auto is_so_once_noticed = [&](const std::function<bool()>& is_so) {
        return testing_support::eventually([&] {
            if (!is_noticed.exchange(false)) return false;
            run_to_end(limits.load());
            run_to_end(blocks.reload());
            return is_so();
        });
    };
    const std::vector<SettingsLedger::Change> change{{"limits.typing.per_minute", 7}};
    run_to_end(other.ledgers.settings().change(change, make_deed(7'001)));
    EXPECT_TRUE(is_so_once_noticed([&] { return in_force.of(RateClass::typing).per_minute == 7; }));
    EXPECT_TRUE(testing_support::eventually([&] { return is_noticed_beside.load(); }))
        << "any number may listen";
    const Block block{.id = BlockId{1},
                      .subject = *parse_block_subject("203.0.113.7"),
                      .reason = "theirs",
                      .until = std::nullopt,
                      .at = now,
                      .by = UserId{1}};
    ASSERT_TRUE(run_to_end(other.ledgers.blocks().put(block, std::nullopt, make_deed(7'002))));
    EXPECT_TRUE(is_so_once_noticed([&] { return blocked == 1; }));
    subscription.end();
}

class TwoClientsStatsContract : public contract::TwoClientsContract {
  protected:
    StatsLedger& stats = ledgers->all().stats();
    StatsLedger& others = other.ledgers.stats();

    StatsPoint make_point(Timestamp at, std::int64_t visits, std::int64_t node = 0) const {
        StatsPoint point;
        point.sale = sale.id;
        point.at = at;
        point.node = node;
        point.funnel.visits = visits;
        return point;
    }
    static NodeTotals make_totals(SaleId sale, std::int64_t node, std::int64_t visits) {
        NodeTotals totals;
        totals.sale = sale;
        totals.node = node;
        totals.funnel.visits = visits;
        return totals;
    }
    std::vector<StatsPoint> history() {
        return run_to_end(stats.history({sale.id, Resolution::second, now, now + 1h}, 100));
    }
};

TEST_P(TwoClientsStatsContract, EveryOrderOfBothIsCountedOnce) {
    std::vector<Task<OrderIntake::Taken>> purchases;
    for (std::int64_t buyer = 1; buyer <= 16; ++buyer)
        purchases.push_back(
            testing_support::hand_in(buyer % 2 == 0 ? intake : other.intake, make_ticket(buyer)));
    all_at_once(std::move(purchases));
    const auto tally = run_to_end(others.tallies({sale.id})).front();
    EXPECT_EQ(tally.orders.orders, 10);
    EXPECT_EQ(tally.stock, stored_sale().stock);
}

TEST_P(TwoClientsStatsContract, APointOfBothIsKeptOnceAndWhole) {
    const StatsLedger::Points mine{Resolution::second,
                                   {make_point(now, 1), make_point(now + 1s, 1)}};
    const StatsLedger::Points theirs{Resolution::second,
                                     {make_point(now + 1s, 2), make_point(now, 2)}};
    at_once(stats.add_points(mine), others.add_points(theirs));
    const auto kept = history();
    ASSERT_THAT(kept, SizeIs(2));
    EXPECT_EQ(kept[0].funnel.visits, kept[1].funnel.visits) << "one call is one step";
}

TEST_P(TwoClientsStatsContract, PointsOfTwoNodesBothStay) {
    const StatsLedger::Points mine{Resolution::second, {make_point(now, 1, 1)}};
    const StatsLedger::Points theirs{Resolution::second, {make_point(now, 2, 2)}};
    at_once(stats.add_points(mine), others.add_points(theirs));
    EXPECT_EQ(history(), (std::vector{make_point(now, 1, 1), make_point(now, 2, 2)}));
}

TEST_P(TwoClientsStatsContract, TotalsOfTwoNodesAndOfDifferentSalesStay) {
    const auto second = make_sale(2, ItemId{1});
    ASSERT_TRUE(
        run_to_end(ledgers->all().catalog().add_sale(second, make_deed(7'001), std::nullopt)));
    const std::vector mine{make_totals(sale.id, 1, 1)};
    const std::vector theirs{make_totals(sale.id, 2, 2), make_totals(second.id, 2, 3)};
    at_once(stats.put_totals(mine), others.put_totals(theirs));
    EXPECT_THAT(run_to_end(stats.totals({sale.id, second.id})),
                UnorderedElementsAre(mine[0], theirs[0], theirs[1]));
}

TEST_P(TwoClientsStatsContract, APointIsPrunedOnce) {
    std::vector<StatsPoint> points;
    for (int second = 0; second < 10; ++second) points.push_back(make_point(now + 1s * second, 1));
    run_to_end(stats.add_points({Resolution::second, points}));
    const auto [one, two] = at_once(stats.prune(Resolution::second, now + 10s, 8),
                                    others.prune(Resolution::second, now + 10s, 8));
    EXPECT_EQ(one + two, 10U);
    EXPECT_THAT(history(), IsEmpty());
}

class TwoClientsTrailContract : public contract::TwoClientsContract {
  protected:
    TrailLedger& trail = ledgers->all().trail();
    TrailLedger& others = other.ledgers.trail();
};

TEST_P(TwoClientsTrailContract, DeedsOfBothAreOneChain) {
    const auto before = deeds_written();
    std::vector<Task<Done>> deeds;
    for (std::int64_t id = 1; id <= 30; ++id)
        deeds.push_back((id % 2 == 0 ? trail : others).add(make_deed(7'000 + id)));
    all_at_once(std::move(deeds));
    EXPECT_EQ(deeds_written(), before + 30);
    EXPECT_EQ(ledgers->broken_links(), std::vector<Notice>{});
    const auto entries = run_to_end(others.list({}, 30));
    EXPECT_TRUE(std::ranges::is_sorted(entries, std::ranges::greater{}, [](const auto& entry) {
        return entry.deed.id;
    })) << "the newest first";
}

TEST_P(TwoClientsTrailContract, DeedsThatChangeSomethingAreInTheSameChain) {
    const auto before = deeds_written();
    const auto [one, two] =
        at_once(ledgers->all().catalog().add_item(make_item(8), make_deed(7'001), std::nullopt),
                others.add(make_deed(7'002)));
    ASSERT_TRUE(one);
    EXPECT_EQ(deeds_written(), before + 2);
    EXPECT_EQ(ledgers->broken_links(), std::vector<Notice>{});
}

RUN_ON_EVERY_ADAPTER(TwoClientsBlockContract);
RUN_ON_EVERY_ADAPTER(TwoClientsWebhookContract);
RUN_ON_EVERY_ADAPTER(TwoClientsSessionContract);
RUN_ON_EVERY_ADAPTER(TwoClientsSettingsContract);
RUN_ON_EVERY_ADAPTER(TwoClientsNewsContract);
RUN_ON_EVERY_ADAPTER(TwoClientsStatsContract);
RUN_ON_EVERY_ADAPTER(TwoClientsTrailContract);

}  // namespace
}  // namespace sluice
