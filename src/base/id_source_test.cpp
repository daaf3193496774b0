#include "base/id_source.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

const Timestamp kNow = from_millis(1'794'513'600'000);

TEST(IdSource, SortsByTime) {
    IdSource ids{3};
    const auto first = ids.next(kNow);
    const auto later = ids.next(kNow + std::chrono::milliseconds{1});
    EXPECT_GT(first, 0);
    EXPECT_LT(first, later);
}

TEST(IdSource, AStretchOfTimeIsAStretchOfIds) {
    IdSource ids{1'023};
    const auto before = ids.next(kNow - std::chrono::milliseconds{1});
    const auto first = ids.next(kNow);
    EXPECT_LT(before, IdSource::first_at(kNow));
    EXPECT_GE(first, IdSource::first_at(kNow));
    EXPECT_EQ(IdSource::first_at(from_millis(0)), 0);
    EXPECT_GT(IdSource::first_at(from_millis(253'402'300'799'999)), first) << "the year 9999";
}

TEST(IdSource, NeverRepeatsWhenTheClockStepsBackOrStands) {
    IdSource ids{0};
    std::int64_t last = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto id = ids.next(i % 2 ? kNow : kNow - std::chrono::hours{1});
        ASSERT_GT(id, last);
        last = id;
    }
}

TEST(IdSource, GivesEveryThreadItsOwn) {
    IdSource ids{1};
    std::vector<std::int64_t> all(40'000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 10'000; ++i)
                all[static_cast<size_t>(t * 10'000 + i)] = ids.next(kNow);
        });
    for (auto& thread : threads) thread.join();
    std::ranges::sort(all);
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(IdSource, NodesDoNotCollide) {
    IdSource a{1}, b{2};
    EXPECT_NE(a.next(kNow), b.next(kNow));
}

}  // namespace
}  // namespace sluice
