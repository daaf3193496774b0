#include "app/alerts/alert_desk.hpp"

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class AlertDeskTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    AlertBox first{"wecom", ""}, second{"mail", ""};
    bool is_on_duty = true;
    AlertDesk desk{
        {.from = "https://shop.example", .language = Language::en, .quiet = 30min, .lasting = 10s},
        {&first, &second},
        [this] { return is_on_duty; },
        clock};

    /// What the first channel is told next.
    std::string told() {
        const auto waiting = first.take(clock.now());
        return waiting ? waiting->message.headline : "nothing";
    }
    void is_bad() { desk.report(AlertKind::not_ready, "ledger", "disk full"); }
    void is_well() { desk.report(AlertKind::not_ready, "ledger", std::nullopt); }
    void stays_bad(std::chrono::seconds length) {
        is_bad();
        clock.move(length);
        is_bad();
    }
};

TEST_F(AlertDeskTest, TellsEveryChannel) {
    desk.note(AlertKind::sold_out, "42", "Tea set");
    const auto one = first.take(clock.now()), other = second.take(clock.now());
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->message.text(), other->message.text());
    EXPECT_EQ(one->message.id, other->message.id);
    EXPECT_EQ(one->message.from, "https://shop.example");
}

TEST_F(AlertDeskTest, TellsTheSameOnceInAWhile) {
    desk.note(AlertKind::sold_out, "42", "Tea set");
    desk.note(AlertKind::sold_out, "43", "Tea pot");
    EXPECT_EQ(told(), "Sold out: sale 42");
    EXPECT_EQ(told(), "Sold out: sale 43");
    clock.move(30min - 1ms);
    desk.note(AlertKind::sold_out, "42", "Tea set");
    EXPECT_EQ(told(), "nothing");
    clock.move(1ms);
    desk.note(AlertKind::sold_out, "42", "Tea set");
    EXPECT_EQ(told(), "Sold out: sale 42");
}

TEST_F(AlertDeskTest, TellsATroubleThatLastsAndItsEnd) {
    is_bad();
    EXPECT_EQ(told(), "nothing");
    clock.move(10s);
    is_bad();
    EXPECT_EQ(told(), "Not ready: ledger");
    clock.move(10min);
    is_bad();
    EXPECT_EQ(told(), "nothing");
    is_well();
    EXPECT_EQ(told(), "Ready again: ledger");
    is_well();
    EXPECT_EQ(told(), "nothing");
}

TEST_F(AlertDeskTest, ATroubleThatIsSoonOverIsNotTold) {
    is_bad();
    clock.move(9s);
    is_well();
    clock.move(9s);
    stays_bad(9s);
    EXPECT_EQ(told(), "nothing") << "each time it lasted nine seconds";
}

TEST_F(AlertDeskTest, WhatComesAndGoesIsToldOnceInAWhile) {
    stays_bad(10s);
    is_well();
    EXPECT_EQ(told(), "Not ready: ledger");
    EXPECT_EQ(told(), "Ready again: ledger");
    stays_bad(10s);
    is_well();
    EXPECT_EQ(told(), "nothing");
    stays_bad(10s);
    EXPECT_EQ(told(), "nothing");
    clock.move(30min);
    is_bad();
    EXPECT_EQ(told(), "Not ready: ledger") << "it has lasted beyond the quiet";
}

TEST_F(AlertDeskTest, OnlyTheNodeOnDutyTellsWhatAllSee) {
    is_on_duty = false;
    desk.note(AlertKind::sold_out, "42", "Tea set");
    desk.note(AlertKind::webhook_given_up, "", "1 delivery");
    desk.report(AlertKind::backup_old, "", "there is none yet");
    clock.move(10s);
    desk.report(AlertKind::backup_old, "", "there is none yet");
    EXPECT_EQ(told(), "nothing");
    EXPECT_TRUE(desk.latest().empty());
    stays_bad(10s);
    EXPECT_EQ(told(), "Not ready: ledger") << "that is about this node";
    is_on_duty = true;
    desk.report(AlertKind::backup_old, "", "there is none yet");
    EXPECT_EQ(told(), "There is no fresh backup") << "it goes on, and now it is ours to tell";
}

TEST_F(AlertDeskTest, ListsTheLatestNewestFirst) {
    for (std::size_t i = 0; i < AlertDesk::kLatest + 2; ++i)
        desk.note(AlertKind::sold_out, std::to_string(i), "Tea set");
    const auto latest = desk.latest();
    ASSERT_EQ(latest.size(), AlertDesk::kLatest);
    EXPECT_EQ(latest.front().subject, std::to_string(AlertDesk::kLatest + 1));
    EXPECT_EQ(latest.back().subject, "2");
}

TEST_F(AlertDeskTest, RemembersSoMuchAndForgetsWhatIsOld) {
    for (std::size_t i = 0; i < AlertDesk::kMostKnown; ++i)
        desk.note(AlertKind::sold_out, std::to_string(i), "");
    desk.note(AlertKind::errors, "", "one too many");
    EXPECT_NE(desk.latest().front().kind, AlertKind::errors);
    clock.move(30min);
    desk.note(AlertKind::errors, "", "there is room again");
    EXPECT_EQ(desk.latest().front().kind, AlertKind::errors);
}

TEST_F(AlertDeskTest, FindsAChannelByItsName) {
    EXPECT_EQ(desk.find("mail"), &second);
    EXPECT_EQ(desk.find("slack"), nullptr);
}

}  // namespace
}  // namespace sluice
