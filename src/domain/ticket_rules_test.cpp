#include "domain/ticket_rules.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr auto kStart = from_millis(10'000);
constexpr auto kEnd = from_millis(20'000);

TicketId id(unsigned char number) {
    return {SaleId{1}, Mark{number}};
}

/// Ticket 1, by pass 1 and key 1.
Ticket make_ticket() {
    Ticket ticket;
    ticket.id = id(1);
    ticket.buyer = UserId{7};
    ticket.quantity = 2;
    ticket.pass = Mark{1};
    ticket.key = Mark{1};
    ticket.claimed_at = kStart;
    return ticket;
}

/// A record with that ticket, pass and key. Key 0: none.
TicketRecord make_record(unsigned char ticket, unsigned char pass, unsigned char key,
                         TicketState state, std::optional<Reason> reason = std::nullopt) {
    TicketRecord record;
    record.id = id(ticket);
    record.state = state;
    record.reason = reason;
    record.pass = Mark{pass};
    if (key != 0) record.key = Mark{key};
    if (state == TicketState::committed) record.order = OrderId{ticket};
    return record;
}

TEST(TicketRules, OneOfTicketPassAndKeyMakesTheSameWish) {
    constexpr auto kState = TicketState::committed;
    const struct {
        TicketRecord record;
        bool is_same;
    } rows[] = {
        {make_record(1, 9, 9, kState), true},  {make_record(9, 1, 9, kState), true},
        {make_record(9, 9, 1, kState), true},  {make_record(9, 9, 9, kState), false},
        {make_record(9, 9, 0, kState), false}, {make_record(9, 1, 0, kState), true},
    };
    for (const auto& [record, is_same] : rows) {
        SCOPED_TRACE(record.id.text());
        EXPECT_EQ(may_be_same_wish(record, make_ticket()), is_same);
        auto without_key = make_ticket();
        without_key.key.reset();
        const bool by_key_alone = is_same && record.id != id(1) && record.pass != Mark{1};
        EXPECT_EQ(may_be_same_wish(record, without_key), is_same && !by_key_alone)
            << "two tickets without a key have no key in common";
    }
}

TEST(TicketRules, TheFirstDecisionOfAWishStands) {
    using enum TicketState;
    using enum Reason;
    constexpr unsigned char kNone = 0;
    const struct {
        const char* what;
        std::vector<TicketRecord> past;
        bool is_final;
        unsigned char decision;  // the number of the ticket that decided, or none
    } rows[] = {
        {"nothing is on record", {}, false, kNone},
        {"its own row is prepared", {make_record(1, 1, 1, prepared)}, false, kNone},
        {"it is an order", {make_record(1, 1, 1, committed)}, true, 1},
        {"it was refused for good", {make_record(1, 1, 1, rolled_back, sold_out)}, true, 1},
        {"it was fenced: the row is final, the wish is not decided",
         {make_record(1, 1, 1, rolled_back, busy)},
         true,
         1},
        {"it was fenced, and another ticket became the order",
         {make_record(1, 1, 1, rolled_back, busy), make_record(2, 1, 2, committed)},
         true,
         2},
        {"it is prepared, and another ticket of the pass is an order",
         {make_record(1, 1, 1, prepared), make_record(2, 1, 2, committed)},
         false,
         2},
        {"another ticket of the key is an order", {make_record(2, 2, 1, committed)}, false, 2},
        {"another ticket was refused for good",
         {make_record(2, 1, 2, rolled_back, sold_out)},
         false,
         2},
        {"another ticket is prepared, which decides nothing",
         {make_record(2, 1, 2, prepared)},
         false,
         kNone},
        {"another ticket was given up, which decides nothing",
         {make_record(2, 1, 2, rolled_back, paused)},
         false,
         kNone},
        {"an order counts before a refusal, and a refusal before nothing",
         {make_record(2, 1, 0, rolled_back, sold_out), make_record(3, 1, 0, committed),
          make_record(4, 1, 0, rolled_back, busy)},
         false,
         3},
        {"of two orders the one of the key counts",
         {make_record(2, 1, 0, committed), make_record(3, 9, 1, committed)},
         false,
         3},
        {"its own order counts before another one's",
         {make_record(2, 1, 1, committed), make_record(1, 1, 1, committed)},
         true,
         1},
    };
    for (const auto& [what, past, is_final, decision] : rows) {
        SCOPED_TRACE(what);
        const auto standing = judge_wish(past, make_ticket());
        EXPECT_EQ(standing.is_final, is_final);
        ASSERT_EQ(standing.decision != nullptr, decision != kNone);
        if (!standing.decision) continue;
        EXPECT_EQ(standing.decision->id, id(decision));
        EXPECT_TRUE(standing.decision >= past.data() &&
                    standing.decision < past.data() + past.size())
            << "it is one of the records that were given";
    }
}

TEST(TicketRules, ATicketIsJudgedAsItWasNotedFirst) {
    auto own = make_record(1, 4, 5, TicketState::prepared);
    own.claimed_at = kStart + 1s;
    own.quantity = 2;
    auto arrived = make_ticket();
    arrived.epoch = 3;
    const auto noted = as_noted(arrived, own);
    EXPECT_EQ(noted.pass, Mark{4});
    EXPECT_EQ(noted.key, Mark{5});
    EXPECT_EQ(noted.claimed_at, kStart + 1s);
    EXPECT_EQ(noted.id, arrived.id);
    EXPECT_EQ(noted.buyer, arrived.buyer);
    EXPECT_EQ(noted.quantity, arrived.quantity);
    EXPECT_EQ(noted.epoch, 3) << "the claim was made in the epoch that the ticket names";
    own.key.reset();
    EXPECT_EQ(as_noted(arrived, own).key, std::nullopt);
}

/// From kStart to kEnd, 3 units for each buyer, held for 60 s.
Sale make_sale() {
    Sale sale;
    sale.id = SaleId{1};
    sale.item_id = ItemId{2};
    sale.price_cents = 99;
    sale.currency = "CNY";
    sale.starts_at = kStart;
    sale.ends_at = kEnd;
    sale.limit_per_buyer = 3;
    sale.hold_seconds = 60;
    return sale;
}

TEST(TicketRules, TheLedgerRefusesWhatItsRowsDoNotAllow) {
    const auto open = make_sale();
    auto paused = open, resumed = open, ended = open;
    paused.paused = true;
    resumed.resumed_at = kStart + 5s;
    ended.ended_at = kStart + 5s;
    const struct {
        const char* what;
        const Sale* sale;
        std::int64_t left, held, quantity;
        Timestamp claimed_at;
        std::optional<Reason> reason;
    } rows[] = {
        {"the opening instant", &open, 10, 0, 1, kStart, std::nullopt},
        {"a millisecond early", &open, 10, 0, 1, kStart - 1ms, Reason::not_started},
        {"a millisecond before the end", &open, 10, 0, 1, kEnd - 1ms, std::nullopt},
        {"the closing instant", &open, 10, 0, 1, kEnd, Reason::ended},
        {"there is no such sale", nullptr, 10, 0, 1, kStart, Reason::not_found},
        {"a pause counts as it is on record", &paused, 10, 0, 1, kStart, Reason::paused},
        {"claimed before it was resumed", &resumed, 10, 0, 1, kStart + 5s - 1ms, Reason::paused},
        {"claimed when it was resumed", &resumed, 10, 0, 1, kStart + 5s, std::nullopt},
        {"an operator ended it", &ended, 10, 0, 1, kStart + 6s, Reason::ended},
        {"all that is left", &open, 2, 0, 2, kStart, std::nullopt},
        {"one more than is left", &open, 1, 0, 2, kStart, Reason::sold_out},
        {"less than nothing is left", &open, -1, 0, 1, kStart, Reason::sold_out},
        {"up to the limit", &open, 10, 1, 2, kStart, std::nullopt},
        {"one above the limit", &open, 10, 2, 2, kStart, Reason::limit_reached},
        {"sold out counts before the limit", &open, 0, 3, 1, kStart, Reason::sold_out},
        {"the window counts before the stock", &open, 0, 3, 1, kEnd, Reason::ended},
    };
    for (const auto& [what, sale, left, held, quantity, claimed_at, reason] : rows) {
        SCOPED_TRACE(what);
        auto record = make_record(1, 1, 1, TicketState::prepared);
        record.quantity = quantity;
        record.claimed_at = claimed_at;
        EXPECT_EQ(reason_to_roll_back(record, {.sale = sale, .left = left, .held = held}), reason);
    }
}

TEST(TicketRules, ARecordBeginsAsItsTicketAndWithoutAnOutcome) {
    const auto ticket = make_ticket();
    const auto record = prepare(ticket);
    EXPECT_EQ(record.state, TicketState::prepared);
    EXPECT_EQ(record.id, ticket.id);
    EXPECT_EQ(record.quantity, 2);
    EXPECT_EQ(record.pass, ticket.pass);
    EXPECT_EQ(record.key, ticket.key);
    EXPECT_EQ(record.claimed_at, ticket.claimed_at);
    EXPECT_FALSE(record.order || record.reason || record.same_as);
}

TEST(TicketRules, ADecisionLeavesNothingOfAnEarlierOne) {
    auto record = make_record(1, 1, 1, TicketState::committed);
    roll_back(record, Reason::sold_out);
    EXPECT_EQ(record.state, TicketState::rolled_back);
    EXPECT_EQ(record.reason, Reason::sold_out);
    EXPECT_EQ(record.order, std::nullopt);
    commit(record, OrderId{8});
    EXPECT_EQ(record.state, TicketState::committed);
    EXPECT_EQ(record.order, OrderId{8});
    EXPECT_EQ(record.reason, std::nullopt);
}

TEST(TicketRules, ATicketOfADecidedWishNamesTheDecision) {
    auto record = prepare(make_ticket());
    roll_back_as_same_wish(record, id(2));
    EXPECT_EQ(record.state, TicketState::rolled_back);
    EXPECT_EQ(record.same_as, id(2));
    EXPECT_TRUE(was_given_up(record)) << "it decided nothing itself";
    EXPECT_EQ(record.order, std::nullopt);
    const auto answer = answer_by(make_record(2, 1, 1, TicketState::committed), record);
    EXPECT_EQ(answer.id, id(1)) << "the buyer knows this ticket";
    EXPECT_EQ(answer.state, TicketState::committed);
    EXPECT_EQ(answer.order, OrderId{2});
    commit(record, OrderId{3});
    EXPECT_EQ(record.same_as, std::nullopt);
}

TEST(TicketRules, AFenceIsFinalAndDecidesNothing) {
    const auto ticket = make_ticket();
    const auto fence = fence_of(ticket);
    EXPECT_EQ(fence.id, ticket.id);
    EXPECT_EQ(fence.state, TicketState::rolled_back);
    EXPECT_EQ(fence.reason, Reason::busy);
    EXPECT_FALSE(fence.order || fence.same_as);
    EXPECT_TRUE(was_given_up(fence)) << "the next try may become the order";
    const TicketRecord past[] = {fence};
    EXPECT_TRUE(judge_wish(past, ticket).is_final) << "a late message changes nothing";
}

TEST(TicketRules, AnOperatorsRefusalDecidesTheWish) {
    const auto ticket = make_ticket();
    const auto refusal = refusal_of(ticket);
    EXPECT_EQ(refusal.id, ticket.id);
    EXPECT_EQ(refusal.state, TicketState::rolled_back);
    EXPECT_EQ(refusal.reason, Reason::conflict);
    EXPECT_FALSE(was_given_up(refusal)) << "the same request would meet the same rows";
    const TicketRecord past[] = {refusal};
    EXPECT_EQ(judge_wish(past, ticket).decision, &past[0]);
}

TEST(TicketRules, AnOrderIsOfItsSaleAndItsHoldBeginsNow) {
    auto record = prepare(make_ticket());
    commit(record, OrderId{8});
    const auto now = kStart + 3s;
    const auto order = make_order(record, UserId{7}, make_sale(), now);
    EXPECT_EQ(order.id, OrderId{8});
    EXPECT_EQ(order.ticket, record.id);
    EXPECT_EQ(order.sale_id, SaleId{1});
    EXPECT_EQ(order.item_id, ItemId{2});
    EXPECT_EQ(order.buyer, UserId{7});
    EXPECT_EQ(order.quantity, 2);
    EXPECT_EQ(order.total_cents(), 198);
    EXPECT_EQ(order.currency, "CNY");
    EXPECT_EQ(order.state, OrderState::pending);
    EXPECT_EQ(order.created_at, now) << "not the time of the claim";
    EXPECT_EQ(order.expires_at, now + 60s);
    EXPECT_EQ(order.paid_at, std::nullopt);
    EXPECT_TRUE(is_pending_at(order, now + 60s - 1ms));
    EXPECT_FALSE(is_pending_at(order, now + 60s));
}

}  // namespace
}  // namespace sluice
