#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/rabbitmq/broker.hpp"
#include "adapters/rabbitmq/poster.hpp"
#include "adapters/rabbitmq/source.hpp"
#include "support/broker_messages.hpp"
#include "support/cutting_proxy.hpp"
#include "support/rabbitmq_server.hpp"

namespace sluice::rabbitmq {
namespace {

using namespace testing_support;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Steady = std::chrono::steady_clock;

class BrokerFaults : public testing::Test {
  protected:
    RabbitmqServer& server = RabbitmqServer::shared();
    Options options = [this] {
        auto made = server.options();
        made.sources = 1;
        return made;
    }();

    static bool connects(const Broker& broker) {
        return eventually([&] { return broker.state().is_connected; });
    }
};

TEST_F(BrokerFaults, APostWhoseQueueWasDeletedIsReturnedAndTheQueueMadeAnew) {
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    server.delete_queue(options.queue);
    // Unless a look has made it anew meanwhile, which happens once a second.
    EXPECT_TRUE(eventually([&] {
        if (!post(broker.queue(), {1})) return true;
        server.delete_queue(options.queue);
        return false;
    }));
    EXPECT_EQ(broker.state().returned, 1U);
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {2}); }));
    EXPECT_TRUE(broker.state().is_connected) << "a return ends nothing";
}

TEST_F(BrokerFaults, AWriterWhoseQueueWasDeletedTakesFromTheNewOne) {
    options.renew_when_quiet = 1s;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    ASSERT_TRUE(post(broker.queue(), {1}));
    auto& source = *broker.sources().front();
    acknowledge(source, take_messages(source, 1));
    server.delete_queue(options.queue);
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {2}); }));
    EXPECT_THAT(buyers_of(take_messages(source, 1)), testing::Contains(2));
}

TEST_F(BrokerFaults, AFullQueueRefusesAndIsNoticedBeforePosting) {
    options.longest_queue = 3;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    int number = 0;
    EXPECT_TRUE(eventually([&] { return !post(broker.queue(), {++number}); }));
    EXPECT_TRUE(eventually([&] { return broker.state().messages >= 3; }));
    EXPECT_TRUE(broker.state().is_full);
    const auto told = broker.state().refused;
    EXPECT_FALSE(post(broker.queue(), {1'000}));
    EXPECT_EQ(broker.state().refused, told) << "it was not even sent";
    EXPECT_TRUE(run_to_end(broker.sources().front()->park(numbered_ticket(1), "x")))
        << "that is another queue";
    auto& source = *broker.sources().front();
    acknowledge(source, take_messages(source, 3));
    EXPECT_TRUE(eventually([&] { return !broker.state().is_full; }));
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {2'000}); }));
}

TEST_F(BrokerFaults, AnAlarmStopsPostsUntilItIsOver) {
    options.confirm_within = 1s;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    server.ctl({"set_vm_memory_high_watermark", "0.0000001"});
    // The broker reports it when somebody posts.
    EXPECT_TRUE(eventually([&] { return !post(broker.queue(), {1}) && broker.state().is_full; }));
    const auto begun = Steady::now();
    EXPECT_FALSE(post(broker.queue(), {2}));
    EXPECT_LT(Steady::now() - begun, options.confirm_within) << "nothing was sent";
    EXPECT_TRUE(broker.state().is_connected);
    server.ctl({"set_vm_memory_high_watermark", "absolute", "1GB"});
    EXPECT_TRUE(eventually([&] { return !broker.state().is_full; }));
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {3}); }));
}

TEST_F(BrokerFaults, WhatWasConfirmedOutlivesTheBroker) {
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    auto& source = *broker.sources().front();
    ASSERT_TRUE(post(broker.queue(), {1}));
    const auto before = take_messages(source, 1);
    ASSERT_TRUE(post(broker.queue(), {2}));
    server.kill();
    EXPECT_TRUE(eventually([&] { return !broker.state().is_connected; }));
    EXPECT_FALSE(post(broker.queue(), {3})) << "at once";
    EXPECT_NE(broker.state().problem, "");
    acknowledge(source, before);  // of a connection that has ended
    server.start();
    EXPECT_TRUE(connects(broker));
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {4}); }));
    EXPECT_THAT(buyers_of(take_messages(source, 3)), ElementsAre(1, 2, 4));
}

TEST_F(BrokerFaults, AFrozenBrokerIsNotWaitedFor) {
    options.confirm_within = 1s;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    server.freeze();
    // More than the buffers in between hold, so that writing itself blocks.
    std::vector<Ticket> many(512, numbered_ticket(7));
    auto& loop = LocalLoop::of_this_thread();
    int answered = 0, kept = 0;
    const auto begun = Steady::now();
    for (int count = 0; count < 500; ++count)
        start_task(loop, broker.queue().post(many),
                   [&](const std::exception_ptr&, std::optional<bool> is_kept) {
                       ++answered;
                       kept += *is_kept ? 1 : 0;
                   });
    while (answered < 500) loop.run_one(true);
    EXPECT_LT(Steady::now() - begun, 20s);
    EXPECT_EQ(kept, 0);
    EXPECT_EQ(broker.state().unconfirmed, 0);
    const auto again = Steady::now();
    EXPECT_FALSE(post(broker.queue(), {1}));
    EXPECT_LT(Steady::now() - again, options.confirm_within) << "without waiting again";
    server.thaw();
    EXPECT_TRUE(eventually([&] { return post(broker.queue(), {2}); }));
}

/// Posts and deliveries use different connections, each of which may be cut.
class CutConnections : public testing::Test {
  protected:
    RabbitmqServer& server = RabbitmqServer::shared();
    const Options direct = server.options();
    CuttingProxy proxy{server.port()};
    const Options through_proxy = [this] {
        auto made = direct;
        made.hosts.front().port = proxy.port();
        return made;
    }();
    const Topology topology{direct};
    const Listener listener;

    static bool connects(const Poster& poster) {
        return eventually([&] { return poster.state().is_connected; });
    }
};

// A post is three frames: about 45 bytes for its method, 75 for its properties, and 112 for the
// ticket.
constexpr long kPostBytes = 240;
constexpr long kAckBytes = 7 + 4 + 8 + 1 + 1;

TEST_F(CutConnections, APostThatIsCutAnywhereIsKeptOrNotButNeverConfirmedForNothing) {
    Poster poster(through_proxy, topology, listener);
    Poster steady(direct, topology, listener);
    Source source("broker-take-0", topology.tickets, direct, topology, steady, listener);
    ASSERT_TRUE(connects(steady));
    std::set<int> confirmed;
    int number = 0, cuts = 0;
    for (long bytes = 0; bytes <= kPostBytes; bytes += 8) {
        ASSERT_TRUE(connects(poster));
        proxy.cut_request_after(std::max(bytes, 1L));
        if (post(poster, {++number})) confirmed.insert(number);
        cuts += proxy.has_cut() ? 1 : 0;
        proxy.cut_no_more();
    }
    EXPECT_GT(cuts, 20) << "most of them are in the middle of a post";
    EXPECT_EQ(confirmed.size() + poster.state().unanswered, static_cast<std::size_t>(number));
    ASSERT_TRUE(connects(poster));
    ASSERT_TRUE(eventually([&] { return post(poster, {1'000}); }));
    std::set<std::int64_t> delivered;
    eventually([&] {
        const auto messages = run_to_end(source.take(10'000));
        acknowledge(source, messages);
        for (const auto buyer : buyers_of(messages)) delivered.insert(buyer);
        return delivered.contains(1'000);
    });
    for (const int each : confirmed) EXPECT_TRUE(delivered.contains(each)) << each;
    for (const auto each : delivered) EXPECT_TRUE(each <= number || each == 1'000) << each;
    source.stop();
}

TEST_F(CutConnections, AConfirmThatIsCutOffIsNoneAndTheMessageIsDelivered) {
    Poster poster(through_proxy, topology, listener);
    Poster steady(direct, topology, listener);
    Source source("broker-take-0", topology.tickets, direct, topology, steady, listener);
    int number = 0;
    for (long bytes = 1; bytes < kAckBytes; bytes += 4) {
        ASSERT_TRUE(connects(poster));
        proxy.cut_answer_after(bytes);
        EXPECT_FALSE(post(poster, {++number})) << bytes;
        EXPECT_TRUE(proxy.has_cut());
    }
    const auto messages = take_messages(source, static_cast<std::size_t>(number));
    EXPECT_EQ(buyers_of(messages).size(), static_cast<std::size_t>(number));
    source.stop();
}

TEST_F(CutConnections, AnAcknowledgementThatIsCutOffBringsTheMessageAgain) {
    Poster poster(direct, topology, listener);
    Source source("broker-take-0", topology.tickets, through_proxy, topology, poster, listener);
    ASSERT_TRUE(connects(poster));
    for (long bytes = 1; bytes < kAckBytes; bytes += 4) {
        ASSERT_TRUE(post(poster, {static_cast<int>(bytes)}));
        const auto first = take_messages(source, 1);
        ASSERT_THAT(buyers_of(first), ElementsAre(bytes));
        proxy.cut_request_after(bytes);
        acknowledge(source, first);
        const auto again = take_messages(source, 1);
        ASSERT_THAT(buyers_of(again), ElementsAre(bytes)) << "half an acknowledgement is none";
        acknowledge(source, first);  // late, and of another connection: it says nothing
        acknowledge(source, again);
        EXPECT_TRUE(eventually([&] { return poster.state().messages == 0; }));
    }
    EXPECT_GT(source.redelivered(), 0U);
    source.stop();
}

}  // namespace
}  // namespace sluice::rabbitmq
