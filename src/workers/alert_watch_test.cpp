#include "workers/alert_watch.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class AlertWatchTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    AlertBox box{"wecom", ""};
    AlertDesk desk{{.from = "here", .language = Language::en, .quiet = 30min, .lasting = 10s},
                   {&box},
                   [] { return true; },
                   clock};
    testing_support::EmptyCatalogLedger ledger;
    Catalog catalog{ledger};

    std::vector<AlertWatch::Part> parts{{"ledger", true, ""}, {"hot_copies", true, ""}};
    std::string doubt;
    AlertWatch::Answers answers;
    std::uint64_t drifts = 3, given_up = 0;
    std::optional<AlertWatch::Backups> backups;
    std::optional<AlertWatch::Queue> queue;
    std::vector<FactorWatch::Guessed> guessed;
    AlertWatch watch{desk, catalog, sources(), 5, clock};

    AlertWatch::Sources sources() {
        AlertWatch::Sources sources;
        sources.parts = [this] { return parts; };
        sources.clock = [this] { return doubt; };
        sources.answers = [this] { return answers; };
        sources.drifts = [this] { return drifts; };
        sources.given_up = [this] { return given_up; };
        sources.backups = [this] { return backups; };
        sources.queue = [this] { return queue; };
        sources.guessed_factors = [this] { return std::exchange(guessed, {}); };
        return sources;
    }

    void put_sale(std::int64_t id, std::int64_t left, bool paused = false) {
        Item item;
        item.id = ItemId{1};
        item.title = "Tea set";
        item.currency = "CNY";
        catalog.put(item);
        Sale sale;
        sale.id = SaleId{id};
        sale.item_id = ItemId{1};
        sale.currency = "CNY";
        sale.starts_at = clock.now() - 1h;
        sale.paused = paused;
        sale.stock = {.total = 5, .left = left, .held = 5 - left, .sold = 0};
        sale.news_seq = ++news_;
        catalog.put(sale);
    }

    void look(std::chrono::milliseconds later = 2s) {
        clock.move(later);
        run_to_end(watch.look());
    }
    /// Long enough for a trouble to be told.
    void look_long() {
        for (int i = 0; i < 7; ++i) look();
    }
    std::string told() {
        const auto waiting = box.take(clock.now());
        if (!waiting) return "nothing";
        const auto& alert = waiting->message.alert;
        return waiting->message.headline + (alert.detail.empty() ? "" : " | " + alert.detail);
    }

  private:
    std::int64_t news_ = 0;
};

TEST_F(AlertWatchTest, IsSilentWhileAllIsWell) {
    backups = {{6h, clock.now()}};
    put_sale(7, 0);
    look_long();
    EXPECT_EQ(told(), "nothing") << "what was sold out and had drifted before is no news";
}

TEST_F(AlertWatchTest, TellsOfPartsThatAreNotReady) {
    parts[0] = {"ledger", false, "disk full"};
    look_long();
    EXPECT_EQ(told(), "Not ready: ledger | disk full");
    parts[0] = {"ledger", true, ""};
    look();
    EXPECT_EQ(told(), "Ready again: ledger");
}

TEST_F(AlertWatchTest, TellsOfAComplaintAboutAPartThatIsReady) {
    parts[1].detail = "away: connection refused";
    look_long();
    EXPECT_EQ(told(), "Not quite well: hot_copies | away: connection refused");
    parts[1] = {"hot_copies", false, "cold"};
    look_long();
    EXPECT_EQ(told(), "Well again: hot_copies");
    EXPECT_EQ(told(), "Not ready: hot_copies | cold");
}

TEST_F(AlertWatchTest, TellsOfTheClock) {
    doubt = "the system clock is 40 s ahead of the shop's";
    look_long();
    EXPECT_EQ(told(), "The clock is in doubt | the system clock is 40 s ahead of the shop's");
}

TEST_F(AlertWatchTest, TellsOfManyFailures) {
    look();
    answers = {.all = 200, .failed = 10};
    look_long();
    EXPECT_EQ(told(), "Many requests fail | 10 of 200 answers within a minute were 5xx");
    answers.all += 10'000;
    look(60s);
    EXPECT_EQ(told(), "Requests succeed again");
}

TEST_F(AlertWatchTest, FewFailuresAreNoTrouble) {
    look();
    answers = {.all = 9, .failed = 9};
    look_long();
    answers = {.all = 1'000, .failed = 49};
    look_long();
    EXPECT_EQ(told(), "nothing") << "fewer than ten, and then fewer than five in a hundred";
}

TEST_F(AlertWatchTest, FailuresOfLongAgoDoNotCount) {
    look();
    answers = {.all = 100, .failed = 100};
    look_long();
    EXPECT_EQ(told(), "Many requests fail | 100 of 100 answers within a minute were 5xx");
    for (int i = 0; i < 30; ++i) look();
    EXPECT_EQ(told(), "Requests succeed again");
}

TEST_F(AlertWatchTest, TellsOfAQueueThatIsLate) {
    queue = {.oldest = 15s, .promised = 5s};
    look_long();
    EXPECT_EQ(told(), "nothing");
    queue->oldest = 15'001ms;
    look_long();
    EXPECT_EQ(told(), "Queued tickets wait too long | the oldest has waited for 15 s");
    queue->oldest.reset();
    look();
    EXPECT_EQ(told(), "Queued tickets are decided in time again");
}

TEST_F(AlertWatchTest, TellsOfParkedTickets) {
    queue = {.oldest = {}, .promised = 5s, .parked = 1};
    look_long();
    EXPECT_EQ(told(), "Parked tickets wait for an operator | 1 ticket: send again or refuse");
    queue->parked = 0;
    look();
    EXPECT_EQ(told(), "No parked ticket waits any more");
}

TEST_F(AlertWatchTest, TellsOfMessagesThatTheBrokerDidNotTake) {
    queue = {.oldest = {}, .promised = 5s, .parked = 0, .unconfirmed = 7};
    look_long();
    EXPECT_EQ(told(), "nothing") << "that was before";
    ++queue->unconfirmed;
    look_long();
    EXPECT_EQ(told(),
              "The broker does not take all messages | 8 messages since the start were returned, "
              "refused or not answered; their tickets went by the ledger");
    for (int i = 0; i < 61; ++i) look();
    EXPECT_EQ(told(), "The broker takes all messages again");
}

TEST_F(AlertWatchTest, TellsOfMessagesThatComeAgainAndAgain) {
    queue = {.oldest = {}, .promised = 5s};
    look();
    queue->redelivered = 99;
    look_long();
    EXPECT_EQ(told(), "nothing") << "a writer has ended";
    queue->redelivered = 100;
    look_long();
    EXPECT_EQ(
        told(),
        "The broker delivers messages again and again | writers end or lose their connections "
        "before they acknowledge");
    for (int i = 0; i < 61; ++i) look();
    EXPECT_EQ(told(), "The broker delivers each message once again");
}

TEST_F(AlertWatchTest, TellsOfDriftAndOfDeliveriesThatWereGivenUp) {
    drifts = 5;
    given_up = 1;
    look();
    EXPECT_EQ(told(), "A hot copy differed from the ledger and was filled anew | 2 copies");
    EXPECT_EQ(told(), "Deliveries to webhooks were given up | 1 delivery since the start");
    look();
    EXPECT_EQ(told(), "nothing");
}

TEST_F(AlertWatchTest, TellsOfABackupThatIsTooOld) {
    const auto begun = clock.now();
    backups = {{6h, begun}};
    look(18h);
    look_long();
    EXPECT_EQ(told(),
              "There is no fresh backup | the newest one was begun at " + to_rfc3339(begun));
    backups->newest = clock.now();
    look();
    EXPECT_EQ(told(), "There is a fresh backup again");
}

TEST_F(AlertWatchTest, WithoutAnyBackupTheStartCounts) {
    backups = {{6h, std::nullopt}};
    look(17h);
    look_long();
    EXPECT_EQ(told(), "nothing");
    look(1h);
    look_long();
    EXPECT_EQ(told(), "There is no fresh backup | there is none yet");
}

TEST_F(AlertWatchTest, TellsWhoseSecondFactorIsGuessedAt) {
    guessed = {{UserId{7}, "Li Wei", 5}, {UserId{8}, "Han Mei", 10}};
    look();
    EXPECT_EQ(told(),
              "Somebody has the password of user 7 and guesses at the second factor | Li Wei: 5 "
              "wrong codes within a day; the audit trail has the address");
    EXPECT_NE(told().find("user 8"), std::string::npos);
    look();
    EXPECT_EQ(told(), "nothing");
    guessed = {{UserId{7}, "Li Wei", 15}};
    look();
    EXPECT_EQ(told(), "nothing") << "the same within the quiet";
}

TEST_F(AlertWatchTest, TellsOfASaleThatIsSoldOut) {
    put_sale(7, 1);
    look();
    put_sale(7, 0);
    put_sale(8, 0);
    look();
    EXPECT_EQ(told(), "Sold out: sale 8 | Tea set");
    EXPECT_EQ(told(), "Sold out: sale 7 | Tea set");
    look();
    EXPECT_EQ(told(), "nothing");
}

TEST_F(AlertWatchTest, APauseAfterTheLastUnitIsNoNews) {
    put_sale(7, 1);
    look();
    put_sale(7, 0);
    look();
    EXPECT_EQ(told(), "Sold out: sale 7 | Tea set");
    put_sale(7, 0, true);
    look(31min);
    put_sale(7, 0);
    look();
    EXPECT_EQ(told(), "nothing");
}

}  // namespace
}  // namespace sluice
