#include <gtest/gtest.h>

#include "cluster_simulation/world.hpp"

namespace sluice::cluster_simulation {
namespace {

TEST(ClusterSimulation, KeepsEveryPromise) {
    std::size_t orders = 0, tickets = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        World world(seed, Switch::none);
        const auto failure = world.run();
        ASSERT_FALSE(failure) << failure->text();
        orders += world.judge().orders_promised();
        tickets += world.judge().tickets_promised();
    }
    EXPECT_GT(orders, 20U) << "a cluster where nobody buys proves nothing";
    EXPECT_GT(tickets, 20U) << "some are told to wait for the writer";
}

TEST(ClusterSimulation, IsTheSameForTheSameSeed) {
    const auto run = [](std::uint64_t seed) { return World(seed, Switch::any_epoch, 60).run(); };
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
}  // namespace sluice::cluster_simulation
