#include "observe/funnel_counts.hpp"

#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Step = FunnelCounts::Step;

TEST(LatencyCounts, NamesADurationAtMostAnEighthTooLong) {
    for (const auto took : {1us, 15us, 16us, 17us, 999us, 1'000us, 123'456us, 60'000'000us}) {
        LatencyCounts latency;
        latency.counts[LatencyCounts::index_of(took)] = 1;
        EXPECT_GT(latency.percentile(50), took);
        EXPECT_LE(latency.percentile(50).count(), took.count() + 1 + took.count() / 8);
    }
}

TEST(LatencyCounts, TakesTheExtremes) {
    EXPECT_EQ(LatencyCounts::index_of(-1ns), 0u);
    EXPECT_EQ(LatencyCounts::index_of(10h), LatencyCounts::kSize - 1);
    EXPECT_EQ(LatencyCounts{}.percentile(99), 0us);
}

TEST(LatencyCounts, APercentileLeavesItsShareAbove) {
    LatencyCounts latency;
    latency.counts[LatencyCounts::index_of(100us)] = 990;
    latency.counts[LatencyCounts::index_of(50ms)] = 10;
    EXPECT_LT(latency.percentile(99), 120us);
    EXPECT_GT(latency.percentile(99.9), 50ms);
}

TEST(FunnelCounts, AddsUpWhatAllThreadsCount) {
    FunnelCounts counts(3, 2);
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 2; ++thread)
        threads.emplace_back([&counts, thread] {
            for (int i = 0; i < 10'000; ++i) {
                const auto place = counts.take(7);
                counts.count(thread, *place, Step::attempt);
                counts.count_refusal(thread, *place, 2);
                counts.count_latency(thread, *place, 5us);
            }
        });
    for (auto& thread : threads) thread.join();
    const auto sum = counts.read(counts.find(7).value());
    EXPECT_EQ(sum.steps[static_cast<std::size_t>(Step::attempt)], 20'000u);
    EXPECT_EQ(sum.steps[static_cast<std::size_t>(Step::visit)], 0u);
    EXPECT_EQ(sum.refusals, (std::vector<std::uint32_t>{0, 0, 20'000}));
    EXPECT_EQ(sum.latency.counts[5], 20'000u);
}

TEST(FunnelCounts, GivesEachSaleAPlaceOfItsOwnUntilItsSetIsFull) {
    FunnelCounts counts(1, 1);
    std::set<std::size_t> taken;
    std::size_t refused = 0;
    for (std::int64_t sale = 1; sale <= 2'000; ++sale) {
        const auto place = counts.take(sale);
        if (!place) {
            ++refused;
            EXPECT_FALSE(counts.find(sale));
            continue;
        }
        EXPECT_TRUE(taken.insert(*place).second);
        EXPECT_EQ(counts.take(sale), place);
        EXPECT_EQ(counts.sale_at(*place), sale);
    }
    EXPECT_EQ(taken.size() + refused, 2'000u);
    EXPECT_LE(taken.size(), FunnelCounts::kPlaces);
}

TEST(FunnelCounts, APlaceThatWasLetGoIsTakenByTheNext) {
    FunnelCounts counts(1, 1);
    std::int64_t refused = 0;
    for (std::int64_t sale = 1; refused == 0; ++sale)
        if (!counts.take(sale)) refused = sale;
    for (std::size_t place = 0; place < FunnelCounts::kPlaces; ++place) counts.free(place);
    EXPECT_FALSE(counts.find(1));
    EXPECT_TRUE(counts.take(refused));
}

}  // namespace
}  // namespace sluice
