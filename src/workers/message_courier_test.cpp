#include "workers/message_courier.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Sent = MessageSender::Sent;

/// Gives the answers that a test sets, and remembers what it was given.
class ScriptedSender final : public MessageSender {
  public:
    Task<Answer> send(PhoneMessage message) override {
        ids.push_back(message.id);
        on_send();
        const auto answer = answers.empty() ? Sent::taken : answers.front();
        if (!answers.empty()) answers.erase(answers.begin());
        co_return Answer{answer, "the gateway answered 503"};
    }

    std::function<void()> on_send = [] {};
    std::vector<Sent> answers;
    std::vector<std::string> ids;
};

class MessageCourierTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    std::string written;
    Log log{Log::Level::debug, Log::Format::text,
            [this](std::string_view line) { written += line; }, [] { return Timestamp{}; }};
    MessageOutbox outbox;
    ScriptedSender sender;
    MessageCourier courier{outbox, sender, clock, log};

    void put(std::string id) {
        PhoneMessage message{.id = std::move(id),
                             .phone = "+8613712345678",
                             .text = "your code is 424242",
                             .code = "424242",
                             .minutes = 10,
                             .good_until = clock.now() + 10min};
        ASSERT_TRUE(outbox.put({.message = std::move(message), .not_before = clock.now()}));
    }
    auto step() { return run_to_end(courier.send_due()); }
};

TEST_F(MessageCourierTest, SendsWhatWaits) {
    put("a");
    put("b");
    EXPECT_EQ(step(), MessageCourier::kLongestPause);
    EXPECT_EQ(sender.ids, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(courier.sent(), 2u);
    EXPECT_EQ(outbox.size(), 0u);
}

TEST_F(MessageCourierTest, TriesAgainUnderTheSameIdThreeTimesAndLater) {
    sender.answers = {Sent::try_again, Sent::try_again, Sent::try_again, Sent::taken};
    put("a");
    EXPECT_EQ(step(), 1s);
    EXPECT_EQ(sender.ids.size(), 1u) << "not at once";
    clock.move(1s);
    EXPECT_EQ(step(), 2s);
    clock.move(2s);
    step();
    EXPECT_EQ(sender.ids, (std::vector<std::string>{"a", "a", "a"}));
    EXPECT_EQ(courier.given_up(), 1u);
    EXPECT_EQ(outbox.size(), 0u);
}

TEST_F(MessageCourierTest, WhatIsRefusedIsNotTriedAgain) {
    sender.answers = {Sent::refused};
    put("a");
    step();
    EXPECT_EQ(outbox.size(), 0u);
    EXPECT_EQ(courier.given_up(), 1u);
}

TEST_F(MessageCourierTest, WhatComesTooLateIsNotSent) {
    put("a");
    clock.move(10min);
    step();
    EXPECT_TRUE(sender.ids.empty());
    EXPECT_EQ(courier.given_up(), 1u);
}

TEST_F(MessageCourierTest, AtItsEndItLeavesWhatWaits) {
    put("a");
    put("b");
    sender.on_send = [&] { courier.stop(); };
    step();
    step();
    EXPECT_EQ(sender.ids, std::vector<std::string>{"a"});
}

TEST_F(MessageCourierTest, TheLogNamesNeitherPhonesNorCodes) {
    sender.answers = {Sent::refused};
    put("a");
    step();
    EXPECT_NE(written.find("message.given_up"), written.npos);
    EXPECT_EQ(written.find("137"), written.npos);
    EXPECT_EQ(written.find("424242"), written.npos);
}

TEST_F(MessageCourierTest, TheOutboxIsBounded) {
    for (std::size_t i = 0; i < MessageOutbox::kMost; ++i) put("x");
    EXPECT_FALSE(outbox.put({.message = {}, .not_before = clock.now()}));
}

}  // namespace
}  // namespace sluice
