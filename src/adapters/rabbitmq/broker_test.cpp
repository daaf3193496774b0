#include "adapters/rabbitmq/broker.hpp"

#include <atomic>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/rabbitmq/connection.hpp"
#include "base/mutex.hpp"
#include "support/broker_messages.hpp"
#include "support/rabbitmq_server.hpp"
#include "support/redis_server.hpp"

namespace sluice::rabbitmq {
namespace {

using namespace testing_support;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps what a broker reports.
class Ear {
  public:
    Listener listener() {
        return {.on_arrival = [this] { ++arrivals; },
                .on_event =
                    [this](std::string_view event, std::string_view reason) {
                        const MutexLock lock(mutex_);
                        events_.emplace(event, reason);
                    }};
    }
    bool has_heard(const std::string& event) const {
        const MutexLock lock(mutex_);
        return events_.contains(event);
    }
    std::atomic<int> arrivals = 0;

  private:
    mutable Mutex mutex_;
    std::multimap<std::string, std::string> events_ GUARDED_BY(mutex_);
};

bool connects(const Broker& broker) {
    return eventually([&] { return broker.state().is_connected; });
}

Options with_source(Options options) {
    options.sources = 1;
    return options;
}

class BrokerTest : public testing::Test {
  protected:
    RabbitmqServer& server = RabbitmqServer::shared();
    Options options = with_source(server.options());
    Ear ear;

    /// Until a post no longer fails for lack of a connection.
    static std::string problem_of(const Options& options) {
        Broker broker(options, {});
        std::string problem;
        eventually([&] {
            problem = broker.state().problem;
            return problem != "not connected yet";
        });
        EXPECT_FALSE(broker.state().is_connected);
        EXPECT_FALSE(post(broker.queue(), {1})) << "at once";
        return problem;
    }
};

TEST_F(BrokerTest, TellsHowItDoes) {
    Broker broker(options, ear.listener());
    ASSERT_TRUE(connects(broker));
    EXPECT_TRUE(ear.has_heard("broker.connected"));
    EXPECT_TRUE(post(broker.queue(), {1, 2}));
    EXPECT_TRUE(post(broker.queue(), {3}));
    EXPECT_TRUE(eventually([&] { return broker.state().messages == 2; }));
    EXPECT_EQ(broker.state().writers, 0);
    const auto messages = take_messages(*broker.sources().front(), 2);
    EXPECT_GT(ear.arrivals, 0);
    EXPECT_TRUE(eventually([&] { return broker.state().writers == 1; }));
    acknowledge(*broker.sources().front(), messages);
    EXPECT_TRUE(eventually([&] { return broker.state().messages == 0; }));
    const auto state = broker.state();
    EXPECT_EQ(state.host, "127.0.0.1:" + std::to_string(server.port()));
    EXPECT_EQ(state.problem, "");
    EXPECT_FALSE(state.is_full);
    EXPECT_EQ(state.confirmed, 2U);
    EXPECT_EQ(state.unconfirmed, 0);
    EXPECT_EQ(state.returned + state.refused + state.unanswered + state.redelivered, 0U);
}

TEST_F(BrokerTest, AThousandPostsMayBeUnderWayAndTheRestIsRefusedHere) {
    options.unconfirmed = 100;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    server.freeze();
    std::atomic<int> kept = 0, refused = 0;
    LocalLoop& loop = LocalLoop::of_this_thread();
    for (int number = 1; number <= 120; ++number)
        start_task(loop, broker.queue().post({numbered_ticket(number)}),
                   [&](const std::exception_ptr&, std::optional<bool> is_kept) {
                       ++(*is_kept ? kept : refused);
                   });
    loop.poll();
    EXPECT_EQ(refused, 20) << "at once";
    server.thaw();
    while (kept + refused < 120) loop.run_one(true);
    EXPECT_EQ(kept, 100);
    EXPECT_EQ(broker.state().confirmed, 100U);
}

TEST_F(BrokerTest, AnotherWriterHasWhatOneGaveBack) {
    options.sources = 2;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    auto& one = *broker.sources()[0];
    auto& other = *broker.sources()[1];
    ASSERT_TRUE(post(broker.queue(), {1}));
    ASSERT_THAT(buyers_of(take_messages(one, 1)), ElementsAre(1));
    run_to_end(one.give_back());
    EXPECT_THAT(buyers_of(take_messages(other, 1)), ElementsAre(1));
    EXPECT_EQ(broker.state().redelivered, 1U);
    EXPECT_TRUE(eventually([&] { return broker.state().writers == 1; }))
        << "whoever gave back takes no more";
}

TEST_F(BrokerTest, OneWriterHoldsNoMoreThanItsPrefetch) {
    options.prefetch = 2;
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    for (int number = 1; number <= 5; ++number) ASSERT_TRUE(post(broker.queue(), {number}));
    auto& source = *broker.sources().front();
    const auto first = take_messages(source, 2);
    EXPECT_EQ(first.size(), 2U);
    EXPECT_TRUE(eventually([&] { return broker.state().messages == 3; }));
    EXPECT_TRUE(run_to_end(source.take(100)).empty());
    acknowledge(source, first);
    EXPECT_EQ(take_messages(source, 2).size(), 2U);
}

TEST_F(BrokerTest, WhatIsParkedComesOutWithItsReason) {
    Broker broker(options, {});
    ASSERT_TRUE(connects(broker));
    EXPECT_TRUE(run_to_end(broker.sources().front()->park(numbered_ticket(4), "no such sale")));
    const auto parked = take_messages(*broker.parked(), 1);
    ASSERT_THAT(buyers_of(parked), ElementsAre(4));
    EXPECT_EQ(parked[0].reason, "no such sale");
    EXPECT_TRUE(eventually([&] { return broker.state().parked == 0; })) << "it is taken";
    run_to_end(broker.parked()->give_back());
    EXPECT_TRUE(eventually([&] { return broker.state().parked == 1; }));
    acknowledge(*broker.parked(), take_messages(*broker.parked(), 1));
    EXPECT_TRUE(eventually([&] { return broker.state().parked == 0; }));
}

TEST_F(BrokerTest, ANodeThatOnlyPostsHasNoSources) {
    options.sources = 0;
    Broker broker(options, {});
    EXPECT_TRUE(broker.sources().empty());
    EXPECT_EQ(broker.parked(), nullptr);
}

TEST_F(BrokerTest, AnUnreadableMessageIsSetAsideAndInNobodysWay) {
    Broker broker(options, ear.listener());
    ASSERT_TRUE(connects(broker));
    const Topology topology(options);
    Connection stranger(options, options.hosts.front());
    stranger.post(topology.tickets, {"hello", "text/plain"});
    stranger.post(topology.tickets, {"SLT\x02", "application/vnd.sluice.tickets"});
    stranger.post(topology.tickets, {std::string(300'000, 'x'), "application/vnd.sluice.tickets"});
    stranger.post(topology.tickets, {"", ""});
    stranger.close();
    ASSERT_TRUE(post(broker.queue(), {1}));
    auto& source = *broker.sources().front();
    const auto good = take_messages(source, 1);
    EXPECT_THAT(buyers_of(good), ElementsAre(1));
    acknowledge(source, good);
    EXPECT_TRUE(eventually([&] { return broker.state().unreadable == 4; }));
    EXPECT_TRUE(ear.has_heard("broker.unreadable"));
    // None of them comes again.
    run_to_end(source.give_back());
    ASSERT_TRUE(post(broker.queue(), {2}));
    EXPECT_THAT(buyers_of(take_messages(source, 1)), ElementsAre(2));
    EXPECT_EQ(broker.state().unreadable, 4);

    Connection curious(options, options.hosts.front());
    curious.consume(topology.unreadable, 10);
    std::map<std::string, std::string> reasons;  // by their bodies, as they were
    eventually([&] {
        while (auto event = curious.next())
            if (const auto* kept = std::get_if<Delivered>(&*event))
                reasons[kept->message.body] = kept->message.reason;
        return reasons.size() == 4;
    });
    EXPECT_THAT(reasons["hello"], HasSubstr("text/plain"));
    EXPECT_THAT(reasons["SLT\x02"], HasSubstr("no message of tickets"));
    EXPECT_TRUE(reasons.contains(std::string(300'000, 'x')));
}

TEST_F(BrokerTest, AQueueWithOtherArgumentsIsLeftAloneAndNamed) {
    {
        Broker first(options, {});
        ASSERT_TRUE(connects(first));
    }
    auto longer = options;
    longer.longest_queue = 5;
    const auto problem = problem_of(longer);
    EXPECT_THAT(problem, HasSubstr(options.queue));
    EXPECT_THAT(problem, HasSubstr("x-max-length"));
    EXPECT_THAT(problem, HasSubstr("20000"));
    Broker again(options, {});
    EXPECT_TRUE(connects(again)) << "as it was";
}

TEST_F(BrokerTest, SaysWhyItCannotLogIn) {
    auto wrong = options;
    wrong.password = "wrong";
    EXPECT_THAT(problem_of(wrong), HasSubstr("ACCESS_REFUSED"));
    wrong = options;
    wrong.virtual_host = "elsewhere";
    EXPECT_THAT(problem_of(wrong), HasSubstr("elsewhere"));
}

TEST_F(BrokerTest, TriesItsHostsInTurn) {
    const auto nobody = static_cast<std::uint16_t>(std::stoi(free_port()));
    options.hosts = {{.name = "127.0.0.1", .port = nobody},
                     {.name = "127.0.0.1", .port = nobody},
                     options.hosts.front()};
    Broker broker(options, {});
    EXPECT_TRUE(connects(broker));
    EXPECT_EQ(broker.state().host, "127.0.0.1:" + std::to_string(server.port()));
}

TEST_F(BrokerTest, SpeaksTlsToABrokerWhoseCertificateItKnows) {
    Broker broker(with_source(server.tls_options()), {});
    ASSERT_TRUE(connects(broker)) << broker.state().problem;
    EXPECT_TRUE(post(broker.queue(), {1}));
    EXPECT_THAT(buyers_of(take_messages(*broker.sources().front(), 1)), ElementsAre(1));
}

TEST_F(BrokerTest, RefusesACertificateOfAnotherHostOrAuthority) {
    auto stranger = server.tls_options();
    stranger.hosts.front().name = "127.0.0.1";
    EXPECT_THAT(problem_of(stranger), HasSubstr("hostname")) << "it does not name the address";
    stranger = server.tls_options();
    stranger.tls->ca.clear();
    EXPECT_NE(problem_of(stranger), "") << "the system does not know who signed it";
    stranger.tls->ca = "/no/such/file";
    EXPECT_THAT(problem_of(stranger), HasSubstr("certificate authorities"));
}

}  // namespace
}  // namespace sluice::rabbitmq
