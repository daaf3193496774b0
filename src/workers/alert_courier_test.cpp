#include "workers/alert_courier.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Told = AlertChannel::Told;

/// Gives the answers that a test sets, and remembers what it was given.
class ScriptedChannel final : public AlertChannel {
  public:
    Task<Answer> tell(AlertMessage message) override {
        ids.push_back(message.id);
        const auto answer = answers.empty() ? Told::taken : answers.front();
        if (!answers.empty()) answers.erase(answers.begin());
        co_return Answer{answer, answer == Told::taken ? "" : "the receiver answered 503"};
    }

    std::vector<Told> answers;
    std::vector<std::string> ids;
};

class AlertCourierTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    std::string written;
    Log log{Log::Level::debug, Log::Format::text,
            [this](std::string_view line) { written += line; }, [] { return Timestamp{}; }};
    AlertBox box{"wecom", "https://robot.example/…"};
    ScriptedChannel channel;
    AlertCourier courier{box, channel, clock, log};

    static AlertMessage message(const std::string& id) {
        return make_message(id, {}, "here", Language::en);
    }
    void put(const std::string& id) { box.put(message(id), clock.now()); }
    auto step() { return run_to_end(courier.send_due()); }
};

TEST_F(AlertCourierTest, TellsWhatWaits) {
    put("a");
    put("b");
    EXPECT_EQ(step(), AlertCourier::kLongestPause);
    EXPECT_EQ(channel.ids, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(box.figures().sent, 2u);
    EXPECT_EQ(box.figures().last_sent, clock.now());
    EXPECT_FALSE(box.figures().last_failure);
}

TEST_F(AlertCourierTest, TriesAgainUnderTheSameIdAndGivesUp) {
    channel.answers.assign(9, Told::try_again);
    put("a");
    EXPECT_EQ(step(), 5s);
    for (const auto pause : {5s, 10s, 20s, 40s}) {
        clock.move(pause);
        step();
    }
    EXPECT_EQ(channel.ids, std::vector<std::string>(5, "a"));
    EXPECT_EQ(box.figures().failed, 1u);
    EXPECT_EQ(box.figures().waiting, 0u);
    ASSERT_TRUE(box.figures().last_failure);
    EXPECT_EQ(box.figures().last_failure->at, clock.now());
    EXPECT_NE(written.find("alert.given_up channel=\"wecom\" kind=\"test\""), written.npos)
        << written;
}

TEST_F(AlertCourierTest, WhatIsRefusedIsNotTriedAgain) {
    channel.answers = {Told::refused};
    put("a");
    put("b");
    step();
    EXPECT_EQ(channel.ids, (std::vector<std::string>{"a", "b"})) << "others do not wait for it";
    EXPECT_EQ(box.figures().failed, 1u);
    EXPECT_EQ(box.figures().sent, 1u);
}

TEST_F(AlertCourierTest, ATestIsTriedOnce) {
    testing_support::TestLoop loop;
    channel.answers = {Told::try_again};
    std::string heard;
    loop.spawn(box.test(message("test")),
               [&](std::exception_ptr, AlertBox::Answer answer) { heard = answer.reason; });
    loop.poll();
    EXPECT_EQ(step(), AlertCourier::kLongestPause);
    loop.run();
    EXPECT_EQ(heard, "the receiver answered 503");
    EXPECT_EQ(channel.ids.size(), 1u);
    EXPECT_EQ(box.figures().failed, 1u);
}

}  // namespace
}  // namespace sluice
