#include "observe/histogram.hpp"

#include <random>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using std::chrono::nanoseconds;

void expect_near(nanoseconds got, nanoseconds exact) {
    const auto most_off = static_cast<double>(exact.count()) / 128 + 0.5;
    EXPECT_NEAR(static_cast<double>(got.count()), static_cast<double>(exact.count()), most_off);
}

TEST(Histogram, OfNothingIsZero) {
    const Histogram empty;
    EXPECT_EQ(empty.count(), 0u);
    for (double percent : {0.0, 50.0, 100.0}) EXPECT_EQ(empty.percentile(percent).count(), 0);
    EXPECT_EQ(empty.min().count() + empty.max().count() + empty.mean().count(), 0);
}

TEST(Histogram, KeepsEveryMagnitudeToOnePercent) {
    for (std::int64_t value = 1; value < Histogram::kHighest.count(); value += value / 100 + 1) {
        Histogram histogram;
        histogram.record(nanoseconds{0});
        histogram.record(nanoseconds{value});
        histogram.record(Histogram::kHighest);
        expect_near(histogram.percentile(50), nanoseconds{value});
    }
}

TEST(Histogram, AgreesWithSortedSamples) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        std::lognormal_distribution<double> latency(8 + seed % 10, 0.3 + seed % 4);
        std::vector<nanoseconds> samples(1 + random() % 5000);
        Histogram halves[2];
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i] = nanoseconds{static_cast<std::int64_t>(
                std::min(latency(random), static_cast<double>(Histogram::kHighest.count())))};
            halves[i % 2].record(samples[i]);
        }
        halves[0].merge(halves[1]);
        std::ranges::sort(samples);
        EXPECT_EQ(halves[0].count(), samples.size());
        EXPECT_EQ(halves[0].min(), samples.front());
        EXPECT_EQ(halves[0].max(), samples.back());
        EXPECT_EQ(halves[0].percentile(0), samples.front());
        EXPECT_EQ(halves[0].percentile(100), samples.back());
        for (double percent : {0.1, 1.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 99.99}) {
            const auto rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
            expect_near(halves[0].percentile(percent), samples[static_cast<std::size_t>(rank) - 1]);
        }
    }
}

TEST(Histogram, TakesWhatIsOutOfRange) {
    Histogram histogram;
    histogram.record(nanoseconds{-5});
    histogram.record(nanoseconds::max());
    EXPECT_EQ(histogram.count(), 2u);
    EXPECT_EQ(histogram.min().count(), 0);
    EXPECT_EQ(histogram.max(), nanoseconds::max());
}

TEST(Histogram, KnowsTheMean) {
    Histogram histogram;
    for (int value : {1, 2, 3, 10}) histogram.record(nanoseconds{value * 1000});
    EXPECT_EQ(histogram.mean().count(), 4000);
}

}  // namespace
}  // namespace sluice
