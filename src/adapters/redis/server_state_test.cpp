#include "adapters/redis/server_state.hpp"

#include <gmock/gmock.h>

namespace sluice::redis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kInfo =
    "# Server\r\nredis_version:7.0.15\r\nrun_id:abc\r\n\r\n# Memory\r\nused_memory:800\r\n"
    "maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n# Persistence\r\nloading:0\r\n"
    "rdb_last_bgsave_status:ok\r\naof_enabled:1\r\naof_last_write_status:ok\r\n"
    "# Replication\r\nrole:master\r\nconnected_slaves:1\r\nmaster_replid:def\r\n";

ServerState good_state() {
    ServerState state;
    state.read_info(kInfo);
    state.shows_config = true;
    state.min_replicas = 1;
    return state;
}

TEST(RedisServerState, IsReadFromInfo) {
    const auto state = good_state();
    EXPECT_EQ(state.run, "abc:def");
    EXPECT_TRUE(state.is_master && state.appends && state.last_save_ok);
    EXPECT_FALSE(state.is_loading);
    EXPECT_EQ(state.version, "7.0.15");
    EXPECT_EQ(state.replicas, 1);
    EXPECT_THAT(complaints_about(state), IsEmpty());
}

TEST(RedisServerState, EachThingThatIsWrongIsNamed) {
    const auto complaints = [](auto change) {
        auto state = good_state();
        change(state);
        std::vector<std::string> texts;
        for (const auto& each : complaints_about(state)) texts.push_back(text_of(each));
        return texts;
    };
    EXPECT_THAT(complaints([](auto& state) { state.version = "6.2.14"; }),
                ElementsAre(HasSubstr("6.2.14")));
    EXPECT_THAT(complaints([](auto& state) { state.eviction = "allkeys-lru"; }),
                ElementsAre(HasSubstr("allkeys-lru")));
    EXPECT_THAT(complaints([](auto& state) { state.appends = false; }),
                ElementsAre(HasSubstr("appendonly")));
    EXPECT_THAT(complaints([](auto& state) { state.appends = false, state.save = "60 1"; }),
                IsEmpty());
    EXPECT_THAT(complaints([](auto& state) { state.last_save_ok = false; }),
                ElementsAre(HasSubstr("disk")));
    EXPECT_THAT(complaints([](auto& state) { state.min_replicas = 0; }),
                ElementsAre(HasSubstr("min-replicas")));
    EXPECT_THAT(complaints([](auto& state) { state.used_memory = 901; }),
                ElementsAre(HasSubstr("901 of 1000")));
    EXPECT_THAT(complaints([](auto& state) { state.shows_config = false; }),
                ElementsAre(HasSubstr("CONFIG")));
}

}  // namespace
}  // namespace sluice::redis
