#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/rabbitmq/broker.hpp"
#include "support/broker_messages.hpp"
#include "support/rabbitmq_server.hpp"
#include "support/scripted_tickets.hpp"

namespace sluice {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// An empty queue, and a consumer.
class Carrier {
  public:
    virtual ~Carrier() = default;
    virtual TicketQueue& queue() = 0;
    virtual TicketSource& source() = 0;
};

class ScriptedCarrier final : public Carrier {
  public:
    TicketQueue& queue() override { return queue_; }
    TicketSource& source() override { return queue_; }

  private:
    ScriptedQueue queue_;
};

class RabbitmqCarrier final : public Carrier {
  public:
    RabbitmqCarrier() {
        EXPECT_TRUE(eventually([&] { return broker_.state().is_connected; }));
    }
    TicketQueue& queue() override { return broker_.queue(); }
    TicketSource& source() override { return *broker_.sources().front(); }

  private:
    static rabbitmq::Options options() {
        auto made = RabbitmqServer::shared().options();
        made.sources = 1;
        return made;
    }
    rabbitmq::Broker broker_{options(), {}};
};

struct Kind {
    const char* name;
    std::unique_ptr<Carrier> (*make)();
};

class TicketQueueContract : public testing::TestWithParam<Kind> {
  protected:
    const std::unique_ptr<Carrier> carrier = GetParam().make();
    TicketQueue& queue = carrier->queue();
    TicketSource& source = carrier->source();

    std::vector<TicketSource::Delivery> take(std::size_t messages, std::size_t most = 10'000) {
        return take_messages(source, messages, most);
    }
    /// Only what is posted now is delivered.
    void expect_empty() {
        ASSERT_TRUE(post(queue, {999}));
        const auto rest = take(1);
        EXPECT_THAT(buyers_of(rest), ElementsAre(999));
        acknowledge(source, rest);
    }
};

TEST_P(TicketQueueContract, DeliversWhatItKeeps) {
    EXPECT_TRUE(post(queue, {1, 2}));
    EXPECT_TRUE(post(queue, {3}));
    const auto messages = take(2);
    EXPECT_THAT(messages, SizeIs(2)) << "a message stays in one piece";
    EXPECT_THAT(buyers_of(messages), ElementsAre(1, 2, 3));
    EXPECT_EQ(messages[0].tickets[0].id, numbered_ticket(1).id);
    EXPECT_EQ(messages[0].tickets[0].claimed_at, numbered_ticket(1).claimed_at);
    EXPECT_THAT(messages[0].reason, IsEmpty());
    acknowledge(source, messages);
    expect_empty();
}

TEST_P(TicketQueueContract, TakesWholeMessagesUpToABoundAndAtLeastOne) {
    EXPECT_TRUE(post(queue, {1, 2, 3}));
    EXPECT_TRUE(post(queue, {4}));
    EXPECT_TRUE(post(queue, {5}));
    const auto first = take(1, 2);
    EXPECT_THAT(buyers_of(first), ElementsAre(1, 2, 3)) << "more than the bound, but one";
    std::vector<TicketSource::Delivery> rest;
    while (rest.size() < 2) {
        const auto next = take(1, 2);
        ASSERT_THAT(next, testing::Not(IsEmpty()));
        EXPECT_LE(buyers_of(next).size(), 2U);
        rest.insert(rest.end(), next.begin(), next.end());
    }
    EXPECT_THAT(buyers_of(rest), ElementsAre(4, 5));
}

TEST_P(TicketQueueContract, DoesNotDeliverAgainWhatIsTaken) {
    EXPECT_TRUE(post(queue, {1}));
    const auto first = take(1);
    EXPECT_TRUE(post(queue, {2}));
    EXPECT_THAT(buyers_of(take(1)), ElementsAre(2));
}

TEST_P(TicketQueueContract, DeliversAgainWhatIsGivenBack) {
    EXPECT_TRUE(post(queue, {1}));
    EXPECT_TRUE(post(queue, {2}));
    const auto first = take(2);
    ASSERT_THAT(first, SizeIs(2));
    acknowledge(source, {first[0]});
    run_to_end(source.give_back());
    const auto again = take(1);
    EXPECT_EQ(buyers_of(again), buyers_of({first[1]})) << "what is acknowledged is gone";
    acknowledge(source, again);
    expect_empty();
}

TEST_P(TicketQueueContract, AnAcknowledgementAfterGivingBackIsPassedOver) {
    EXPECT_TRUE(post(queue, {1}));
    const auto first = take(1);
    run_to_end(source.give_back());
    acknowledge(source, first);
    EXPECT_THAT(buyers_of(take(1)), ElementsAre(1));
}

TEST_P(TicketQueueContract, GivingBackNothingDoesNoHarm) {
    run_to_end(source.give_back());
    run_to_end(source.give_back());
    run_to_end(source.acknowledge({}));
    expect_empty();
}

TEST_P(TicketQueueContract, WhatIsParkedIsInNobodysWay) {
    EXPECT_TRUE(post(queue, {1, 2}));
    const auto message = take(1);
    EXPECT_TRUE(run_to_end(source.park(numbered_ticket(2), "bad")));
    acknowledge(source, message);
    expect_empty();
}

INSTANTIATE_TEST_SUITE_P(Carriers, TicketQueueContract,
                         testing::Values(Kind{"Scripted",
                                              []() -> std::unique_ptr<Carrier> {
                                                  return std::make_unique<ScriptedCarrier>();
                                              }},
                                         Kind{"Rabbitmq",
                                              []() -> std::unique_ptr<Carrier> {
                                                  return std::make_unique<RabbitmqCarrier>();
                                              }}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace sluice
