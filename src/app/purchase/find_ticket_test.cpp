#include "app/purchase/find_ticket.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

class FindTicketTest : public testing::Test {
  protected:
    testing_support::EmptyCatalogLedger catalog_ledger;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders orders;
    Catalog catalog{catalog_ledger};
    Absences absences{{1}};
    testing_support::ManualClock clock;
    bool has_messages = true;
    FindTicket find_ticket{catalog, gate, orders, absences, clock};
    FindTicket with_broker{catalog, gate, orders, absences, clock, [this] { return has_messages; }};
    const SaleId sale{1};
    const TicketId id{sale, Mark{1}};
    FindTicket::Asked asked{UserId{7}, "a ticket", Absences::Instant{std::chrono::hours{1}}};

    Sale shown;

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        shown.id = sale;
        shown.item_id = item.id;
        catalog.put(shown);
        gate.seen.history = true;
    }
    void show_epoch(std::int64_t epoch) {
        shown.epoch = epoch;
        ++shown.version;
        catalog.put(shown);
    }
    /// Told that there is none, and not that nobody knows.
    bool is_sure_at_broker() {
        const auto question = with_broker.question_if_possible(sale, asked);
        if (!question) return true;
        try {
            EXPECT_FALSE(run_to_end(with_broker.find(id, *question)));
            EXPECT_FALSE(run_to_end(with_broker.find_latest(sale, *question)));
            return true;
        } catch (const Outage&) {
            return false;
        }
    }
    bool may_ask() const { return find_ticket.question_if_possible(sale, asked).has_value(); }
    std::optional<TicketRecord> find() {
        return run_to_end(
            find_ticket.find(id, find_ticket.question_if_possible(sale, asked).value()));
    }
    std::optional<TicketRecord> find_latest() {
        const auto question = find_ticket.question_if_possible(sale, asked).value();
        return run_to_end(find_ticket.find_latest(sale, question));
    }
    TicketRecord on_record() const {
        TicketRecord record;
        record.id = id;
        record.state = TicketState::committed;
        record.order = OrderId{5};
        return record;
    }
};

TEST_F(FindTicketTest, AsksOnlyWhereThereMayBeATicket) {
    EXPECT_TRUE(may_ask());
    EXPECT_FALSE(find_ticket.question_if_possible(SaleId{2}, asked)) << "there is no such sale";
    gate.seen.history = false;
    EXPECT_FALSE(may_ask()) << "the buyer has never claimed here";
    asked.is_by_id = true;
    EXPECT_FALSE(may_ask());
    gate.is_behind = true;
    EXPECT_TRUE(may_ask()) << "another node may have named it just now";
    asked.is_by_id = false;
    EXPECT_FALSE(may_ask()) << "the latest may be a moment old";
    gate.seen.warm = false;
    EXPECT_TRUE(may_ask()) << "without a hot copy nobody knows their past";
}

TEST_F(FindTicketTest, TheJournalDecidesAndAnOpenClaimIsQueued) {
    gate.open = id;
    EXPECT_EQ(find().value().state, TicketState::prepared);
    orders.looked_up = {on_record()};
    EXPECT_EQ(find().value().order, OrderId{5}) << "committed, and not settled yet";
    gate.open.reset();
    orders.looked_up = {on_record()};
    EXPECT_EQ(find().value().order, OrderId{5});
}

TEST_F(FindTicketTest, TheLatestIsTheOpenOneOrElseTheJournals) {
    orders.known = {on_record()};
    EXPECT_EQ(find_latest().value().order, OrderId{5});
    gate.open = TicketId{sale, Mark{2}};
    EXPECT_EQ(find_latest().value().id, gate.open);
    EXPECT_EQ(find_latest().value().state, TicketState::prepared);
}

TEST_F(FindTicketTest, AnAbsenceCountsUntilSomethingOfTheBuyerChanges) {
    EXPECT_FALSE(find());
    EXPECT_FALSE(may_ask());
    asked.buyer = UserId{8};
    EXPECT_TRUE(may_ask()) << "somebody else may have it";
    asked.buyer = UserId{7};
    gate.seen.changes += 1;
    EXPECT_TRUE(may_ask());
    EXPECT_FALSE(find_latest());
    EXPECT_FALSE(may_ask());
}

TEST_F(FindTicketTest, WhileTheCopyIsAwayTheJournalAnswersForWhatItHas) {
    gate.is_away = true;
    orders.looked_up = {on_record()};
    EXPECT_EQ(find().value().order, OrderId{5});
    orders.known = {on_record()};
    EXPECT_EQ(find_latest().value().order, OrderId{5});
    orders.looked_up.clear();
    orders.known.clear();
    EXPECT_THROW(find(), Outage) << "it may be open";
    EXPECT_THROW(find_latest(), Outage);
    EXPECT_TRUE(may_ask()) << "that is no absence";
}

TEST_F(FindTicketTest, WithoutACopyOfALiveSaleAnAbsenceIsNotRemembered) {
    gate.seen.warm = false;
    EXPECT_FALSE(find());
    EXPECT_TRUE(may_ask()) << "its claim may be lost, and its ticket be written just now";
    shown.ended_at = clock.now();
    ++shown.version;
    catalog.put(shown);
    EXPECT_FALSE(find());
    EXPECT_FALSE(may_ask()) << "such a sale has no copy";
}

TEST_F(FindTicketTest, WhatACopyLostMayWaitAtTheBroker) {
    EXPECT_TRUE(is_sure_at_broker()) << "the first copy has lost nothing";
    asked.buyer = UserId{8};
    gate.seen.warm = false;
    EXPECT_FALSE(is_sure_at_broker()) << "the next copy is not there yet";
    gate.seen.warm = true;
    gate.seen.history = false;
    show_epoch(to_millis(clock.now()));
    has_messages = false;
    EXPECT_FALSE(is_sure_at_broker()) << "the number of messages is a moment old";
    clock.move(std::chrono::minutes{2});
    has_messages = true;
    EXPECT_FALSE(is_sure_at_broker());
    has_messages = false;
    EXPECT_TRUE(is_sure_at_broker());
    has_messages = true;
    clock.move(std::chrono::hours{24});
    EXPECT_TRUE(is_sure_at_broker()) << "they are of later claims";
}

TEST_F(FindTicketTest, ASaleThatIsOverMayHaveLostItsCopyToo) {
    gate.seen.warm = false;
    shown.ended_at = clock.now();
    ++shown.version;
    catalog.put(shown);
    EXPECT_FALSE(is_sure_at_broker());
    has_messages = false;
    EXPECT_TRUE(is_sure_at_broker());
    asked.buyer = UserId{8};
    has_messages = true;
    clock.move(std::chrono::hours{25});
    EXPECT_TRUE(is_sure_at_broker());
}

TEST_F(FindTicketTest, AJournalThatIsAwayIsNoAbsence) {
    orders.away = true;
    EXPECT_THROW(find(), Outage);
    EXPECT_TRUE(may_ask());
}

}  // namespace
}  // namespace sluice
