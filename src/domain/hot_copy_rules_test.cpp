#include "domain/hot_copy_rules.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(HotCopyRules, OnlyAnOrderOfAnotherEpochHasARow) {
    Sale sale;
    sale.epoch = 5;
    const HotChange taken{.seq = 0, .delta_left = -2, .buyer = UserId{7}, .delta_units = 2};
    const struct {
        std::int64_t epoch;  // in which the ticket was claimed
        TicketState state;
        std::optional<HotChange> row;
    } rows[] = {
        {5, TicketState::committed, std::nullopt},  // the copy saw the claim
        {4, TicketState::committed, taken},
        {6, TicketState::committed, taken},  // the ledger was restored to an earlier epoch
        {4, TicketState::rolled_back, std::nullopt},
        {4, TicketState::prepared, std::nullopt},
    };
    for (const auto& [epoch, state, row] : rows) {
        SCOPED_TRACE(testing::Message() << epoch << ' ' << static_cast<int>(state));
        Ticket ticket;
        ticket.buyer = UserId{7};
        ticket.quantity = 2;
        ticket.epoch = epoch;
        TicketRecord record;
        record.state = state;
        record.quantity = 2;
        if (state == TicketState::committed) record.order = OrderId{1};
        EXPECT_EQ(hot_change_for_order(ticket, record, sale), row);
    }
}

TEST(HotCopyRules, UnitsThatReturnAreLeftAndNotTheBuyersAnyMore) {
    const HotChange row{.seq = 0, .delta_left = 3, .buyer = UserId{7}, .delta_units = -3};
    EXPECT_EQ(hot_change_for_return(UserId{7}, 3), row);
}

TEST(HotCopyRules, ARestockIsNobodysUnits) {
    const Stock before{.total = 10, .left = 4, .held = 5, .sold = 1};
    for (const std::int64_t delta : {-4, -1, 1, 90}) {
        auto after = before;
        after.total += delta;
        after.left += delta;
        const HotChange row{.seq = 0, .delta_left = delta, .buyer = {}, .delta_units = 0};
        EXPECT_EQ(hot_change_for_restock(before, after), row) << delta;
    }
    EXPECT_EQ(hot_change_for_restock(before, before), std::nullopt);
}

TEST(HotCopyRules, AnEpochIsAboveEveryOtherAndAboveTheTime) {
    const struct {
        std::int64_t present, above, now, highest;
    } rows[] = {
        {1, 0, 1'000, 1'000},
        {1, 2'000, 1'000, 2'000},
        {3'000, 2'000, 1'000, 3'000},
        {1'000, 0, 1'000, 1'000},
        {5, 5, 5, 5},
    };
    for (const auto& [present, above, now, highest] : rows)
        for (const auto* const ledger : {"", "one", "two"})
            EXPECT_GT(next_epoch(present, above, from_millis(now), ledger), highest)
                << present << ' ' << above << ' ' << now;
}

TEST(HotCopyRules, ARestoredLedgerCountsOnByOtherNumbers) {
    std::set<std::int64_t> numbers;
    for (int restores = 0; restores < 100; ++restores)
        numbers.insert(next_epoch(10'000, 0, from_millis(1), "ledger " + std::to_string(restores)));
    EXPECT_EQ(numbers.size(), 100U) << "although the clock is behind";
}

}  // namespace
}  // namespace sluice
