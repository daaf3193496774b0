#include "gate/block_list.hpp"

#include <future>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

const Timestamp kNow = from_millis(1'800'000'000'000);

Block against(const char* subject, std::optional<Timestamp> until = {}) {
    return {.id = BlockId{1},
            .subject = *parse_block_subject(subject),
            .reason = "",
            .until = until,
            .at = kNow,
            .by = UserId{1}};
}

bool blocked(const BlockList& list, const char* address, Timestamp now = kNow) {
    return list.holds(*Address::parse(address), now);
}

TEST(BlockList, HoldsNobodyAtFirst) {
    const BlockList list;
    EXPECT_FALSE(list.holds(UserId{1}, kNow));
    EXPECT_FALSE(blocked(list, "203.0.113.7"));
}

TEST(BlockList, HoldsBuyersAddressesAndNetworks) {
    BlockList list;
    list.replace(std::vector{against("77"), against("203.0.113.7"), against("198.51.0.0/16"),
                             against("198.51.100.0/22"), against("2001:db8::1"),
                             against("2400:cb00::/32")});
    EXPECT_TRUE(list.holds(UserId{77}, kNow));
    EXPECT_FALSE(list.holds(UserId{7}, kNow));
    for (const char* address :
         {"203.0.113.7", "198.51.255.255", "198.51.100.9", "2001:db8::ffff", "2400:cb00:ffff::1"})
        EXPECT_TRUE(blocked(list, address)) << address;
    for (const char* address :
         {"203.0.113.8", "198.52.0.0", "2001:db8:0:1::1", "2400:cb01::", "::1"})
        EXPECT_FALSE(blocked(list, address)) << address;
}

TEST(BlockList, AnIpv6NetworkOfZerosHoldsNoIpv4) {
    BlockList list;
    list.replace(std::vector{against("::1")});
    EXPECT_TRUE(blocked(list, "::1"));
    EXPECT_FALSE(blocked(list, "127.0.0.1"));
}

TEST(BlockList, LetsGoAtTheInstant) {
    BlockList list;
    const auto until = kNow + std::chrono::milliseconds{1};
    list.replace(std::vector{against("77", until), against("203.0.113.7", until)});
    EXPECT_TRUE(list.holds(UserId{77}, kNow));
    EXPECT_TRUE(blocked(list, "203.0.113.7"));
    EXPECT_FALSE(list.holds(UserId{77}, until));
    EXPECT_FALSE(blocked(list, "203.0.113.7", until));
}

TEST(BlockList, IsReplacedAsAWhole) {
    BlockList list;
    list.replace(std::vector{against("77")});
    list.replace(std::vector{against("78")});
    EXPECT_FALSE(list.holds(UserId{77}, kNow));
    EXPECT_TRUE(list.holds(UserId{78}, kNow));
    list.replace({});
    EXPECT_FALSE(list.holds(UserId{78}, kNow));
}

/// With more readers than cores there is no moment without a reader: a look-up over 25 prefix
/// lengths takes long, and the time between two look-ups is short.
TEST(BlockList, IsReplacedAlthoughSomebodyIsAlwaysLooking) {
    std::vector<Block> blocks;
    for (int length = 8; length <= 32; ++length)
        blocks.push_back(against(("10.0.0.0/" + std::to_string(length)).c_str()));
    BlockList list;
    list.replace(blocks);
    const auto address = *Address::parse("203.0.113.7");
    std::atomic<bool> done = false;
    std::vector<std::jthread> readers;
    for (int i = 0; i < 8; ++i)
        readers.emplace_back([&] {
            while (!done) list.holds(address, kNow);
        });
    auto replaced = std::async(std::launch::async, [&] {
        for (int i = 0; i < 10; ++i) list.replace(blocks);
    });
    EXPECT_EQ(replaced.wait_for(std::chrono::minutes{1}), std::future_status::ready);
    done = true;
}

TEST(BlockList, MayBeReplacedUnderTheEyesOfItsReaders) {
    BlockList list;
    const std::vector always{against("1"), against("203.0.113.7")};
    auto sometimes = always;
    sometimes.push_back(against("2"));
    list.replace(always);
    std::atomic<bool> done = false;
    std::atomic<int> lost = 0;
    {
        std::vector<std::jthread> readers;
        for (int i = 0; i < 3; ++i)
            readers.emplace_back([&] {
                while (!done)
                    if (!list.holds(UserId{1}, kNow) || !blocked(list, "203.0.113.7")) ++lost;
            });
        for (int i = 0; i < 500; ++i) list.replace(i % 2 ? always : sometimes);
        done = true;
    }
    EXPECT_EQ(lost, 0);
}

}  // namespace
}  // namespace sluice::gate
