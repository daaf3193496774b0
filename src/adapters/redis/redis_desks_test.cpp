#include "adapters/redis/redis_desks.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/seeded_random.hpp"
#include "support/session_rows.hpp"

namespace sluice::redis {
namespace {

/// With the links of one node, as a hot tier has them.
TEST(RedisDesks, OneClientServesAllOfThem) {
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::SessionRows ledger;
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
    testing_support::RedisNode node{testing_support::RedisServer::shared().options()};
    RedisDesks desks{node.client(), ledger, passes, random, clock};

    const EntryDesk::Request request{
        .entrant = {UserId{1}, SaleId{7}}, .most_places = 1, .only_again = false, .challenge = {}};
    EXPECT_TRUE(std::holds_alternative<EntryDesk::Issued>(run_to_end(desks.entry.enter(request))));
    desks.entry.note_claim(UserId{1}, SaleId{7}, false);
    run_to_end(desks.tell());
    const auto places = Keys(node.client().options().prefix).places(SaleId{7});
    EXPECT_EQ(node.ask({"ZCARD", places}).view().number(), 0) << "the claim was told";
    run_to_end(desks.catch_up());
    EXPECT_FALSE(run_to_end(desks.codes.read("a")));
    EXPECT_FALSE(run_to_end(desks.sessions.find(SessionKey{1}, clock.now())));
    EXPECT_EQ(run_to_end(desks.counts.add({})).size(), 0u);
}

}  // namespace
}  // namespace sluice::redis
