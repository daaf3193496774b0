#include "app/alerts/alert_box.hpp"

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Told = AlertChannel::Told;

class AlertBoxTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::TestLoop loop;
    AlertBox box{"wecom", "https://robot.example/…"};

    static AlertMessage message(const std::string& id) {
        return make_message(id, {}, "here", Language::en);
    }
    void put(const std::string& id) { box.put(message(id), clock.now()); }
    std::string take() {
        const auto waiting = box.take(clock.now());
        return waiting ? waiting->message.id : "none";
    }
};

TEST_F(AlertBoxTest, GivesWhatIsDueInOrder) {
    int wakes = 0;
    box.on_put([&] { ++wakes; });
    put("a");
    put("b");
    EXPECT_EQ(wakes, 2);
    EXPECT_EQ(take(), "a");
    EXPECT_EQ(take(), "b");
    EXPECT_EQ(take(), "none");
    EXPECT_FALSE(box.next_due());
}

TEST_F(AlertBoxTest, WhatIsPutBackWaitsForItsTime) {
    put("a");
    auto waiting = box.take(clock.now());
    waiting->not_before = clock.now() + 5s;
    box.put_back(std::move(*waiting));
    EXPECT_EQ(take(), "none");
    EXPECT_EQ(box.next_due(), clock.now() + 5s);
    clock.move(5s);
    EXPECT_EQ(take(), "a");
}

TEST_F(AlertBoxTest, IsBoundedInNumber) {
    for (std::size_t i = 0; i <= AlertBox::kMost; ++i) put(std::to_string(i));
    EXPECT_EQ(box.figures().waiting, AlertBox::kMost);
    EXPECT_EQ(box.figures().failed, 1u);
    ASSERT_TRUE(box.figures().last_failure);
    EXPECT_EQ(box.figures().last_failure->reason, "too many alerts wait");
    EXPECT_EQ(take(), "1") << "the oldest went";
}

TEST_F(AlertBoxTest, IsBoundedInRate) {
    for (std::size_t i = 0; i <= AlertBox::kPerMinute; ++i) put(std::to_string(i));
    for (std::size_t i = 0; i < AlertBox::kPerMinute; ++i) EXPECT_NE(take(), "none");
    EXPECT_EQ(take(), "none");
    EXPECT_EQ(box.next_due(), clock.now() + 1min);
    clock.move(59'999ms);
    EXPECT_EQ(take(), "none");
    clock.move(1ms);
    EXPECT_EQ(take(), std::to_string(AlertBox::kPerMinute));
}

TEST_F(AlertBoxTest, AClockThatIsSetBackDoesNotSilenceIt) {
    for (std::size_t i = 0; i <= AlertBox::kPerMinute; ++i) put(std::to_string(i));
    for (std::size_t i = 0; i < AlertBox::kPerMinute; ++i) take();
    clock.move(-1h);
    put("later");
    EXPECT_EQ(take(), "later");
}

TEST_F(AlertBoxTest, ATestGoesFirstAndHearsWhatCameOfIt) {
    put("a");
    std::optional<AlertBox::Answer> heard;
    loop.spawn(box.test(message("test")),
               [&](std::exception_ptr, AlertBox::Answer answer) { heard = answer; });
    loop.poll();
    EXPECT_FALSE(heard);
    auto waiting = box.take(clock.now());
    ASSERT_TRUE(waiting && waiting->heard);
    EXPECT_EQ(waiting->message.id, "test");
    waiting->heard({Told::refused, "no such robot"});
    loop.run();
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->told, Told::refused);
    EXPECT_EQ(heard->reason, "no such robot");
    EXPECT_EQ(take(), "a");
}

TEST_F(AlertBoxTest, FewTestsWaitAndNoneIsLeftBehind) {
    std::vector<std::string> heard;
    for (std::size_t i = 0; i <= AlertBox::kMostTests; ++i)
        loop.spawn(box.test(message("test")), [&](std::exception_ptr, AlertBox::Answer answer) {
            heard.push_back(answer.reason);
        });
    loop.poll();
    ASSERT_EQ(heard.size(), 1u) << "one too many";
    EXPECT_TRUE(heard[0].starts_with("too many tests wait"));
    box.close();
    loop.run();
    EXPECT_EQ(heard.size(), AlertBox::kMostTests + 1);
    EXPECT_EQ(heard.back(), "the server ends");
    put("a");
    EXPECT_EQ(take(), "none") << "it is closed";
}

}  // namespace
}  // namespace sluice
