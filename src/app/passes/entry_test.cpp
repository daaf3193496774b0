#include "app/passes/entry.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kStart = from_millis(1'794'513'600'000);

Sale sale() {
    Sale sale;
    sale.starts_at = kStart;
    sale.ends_at = kStart + 1h;
    sale.limit_per_buyer = 2;
    return sale;
}

StockGate::Glance glance() {
    return {.warm = true, .left = 1, .units = 1, .history = true};
}

TEST(Entry, IsFreeWithinTheWindow) {
    EXPECT_EQ(entry_refusal(sale(), glance(), false, kStart - 1ms), Reason::not_started);
    EXPECT_EQ(entry_refusal(sale(), glance(), false, kStart), std::nullopt);
    EXPECT_EQ(entry_refusal(sale(), glance(), false, kStart + 1h - 1ms), std::nullopt);
    EXPECT_EQ(entry_refusal(sale(), glance(), false, kStart + 1h), Reason::ended);
}

TEST(Entry, TheFirstReasonCounts) {
    auto bad_sale = sale();
    bad_sale.paused = true;
    StockGate::Glance bad_glance{.warm = false, .left = 0, .units = 2, .history = true};
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart + 1h), Reason::ended);
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart - 1ms), Reason::paused);
    bad_sale.paused = false;
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart - 1ms), Reason::not_started);
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart), Reason::limit_reached);
    bad_glance.units = 1;
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart), Reason::unavailable)
        << "without a hot copy nobody knows what is left";
    bad_glance.warm = true;
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart), Reason::sold_out);
    bad_glance.left = -1;
    EXPECT_EQ(entry_refusal(bad_sale, bad_glance, false, kStart), Reason::sold_out);
}

TEST(Entry, GivingWayComesAfterTheStateAndBeforeWhatTheBuyerHolds) {
    const StockGate::Glance full{.warm = true, .left = 1, .units = 2, .history = true};
    EXPECT_EQ(entry_refusal(sale(), full, true, kStart - 1ms), Reason::not_started);
    EXPECT_EQ(entry_refusal(sale(), full, true, kStart), Reason::conflict);
    EXPECT_EQ(entry_refusal(sale(), full, true, kStart + 1h), Reason::ended);
}

}  // namespace
}  // namespace sluice
