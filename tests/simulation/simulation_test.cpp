#include <gtest/gtest.h>

#include "simulation/world.hpp"

namespace sluice::simulation {
namespace {

TEST(Simulation, KeepsEveryPromise) {
    std::size_t yeses = 0, captures = 0, sent_back = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        World world(seed);
        const auto failure = world.run();
        ASSERT_FALSE(failure) << failure->text();
        yeses += world.yeses();
        captures += world.captures();
        sent_back += world.sent_back();
    }
    EXPECT_GT(captures, 2U);
    EXPECT_GT(sent_back, 20U);
    EXPECT_GT(yeses, 50U) << "a world where nobody buys proves nothing";
}

TEST(Simulation, IsTheSameForTheSameSeed) {
    const auto run = [](std::uint64_t seed) { return World(seed, Plant::apply_twice).run(); };
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto first = run(seed), second = run(seed);
        ASSERT_EQ(first.has_value(), second.has_value());
        if (!first) continue;
        ++found;
        EXPECT_EQ(first->text(), second->text());
    }
    EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace sluice::simulation
