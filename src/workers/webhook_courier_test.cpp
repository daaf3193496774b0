#include "workers/webhook_courier.hpp"

#include <deque>

#include <gmock/gmock.h>

#include "domain/event_signature.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_webhooks.hpp"
#include "support/seeded_random.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

constexpr WebhookId kFirst{1};
constexpr WebhookId kSecond{2};

/// Keeps each letter until the test answers it.
class HeldPoster final : public Poster {
  public:
    Task<Answer> post(Letter letter) override {
        auto start = [this, letter = std::move(letter)](Completion<Answer> tell) mutable {
            letters.push_back(std::move(letter));
            waiting.push_back(std::move(tell));
        };
        return await_completion<Answer>(std::move(start));
    }
    void hang_up() override {
        while (!waiting.empty()) answer(0, "hung up");
    }
    void answer(unsigned status, std::string failure = {}) {
        auto tell = std::move(waiting.front());
        waiting.pop_front();
        Answer given;
        given.status = status;
        given.failure = std::move(failure);
        tell(nullptr, std::move(given));
    }

    std::vector<Letter> letters;
    std::deque<Completion<Answer>> waiting;
};

class WebhookCourierTest : public testing::Test {
  protected:
    WebhookCourierTest() {
        outbox.webhooks = {
            {.id = kFirst, .url = "https://a.example/", .events = {}, .created_at = {}}};
    }
    /// Deliveries that nobody answers end here, while all they use is there.
    ~WebhookCourierTest() override {
        poster.waiting.clear();
        settle();
    }

    /// One round, and whatever follows from it until all wait for an answer.
    std::chrono::milliseconds round() {
        std::chrono::milliseconds sleep{};
        loop.spawn(courier.deliver_due(),
                   [&](std::exception_ptr failure, std::chrono::milliseconds given) {
                       EXPECT_FALSE(failure);
                       sleep = given;
                   });
        settle();
        return sleep;
    }
    void settle() { loop.poll(); }
    void answer(unsigned status, std::string failure = {}) {
        poster.answer(status, std::move(failure));
        settle();
    }
    void put(std::int64_t event, WebhookId webhook = kFirst) {
        outbox.put(webhook, EventId{event}, clock.now());
    }
    const WebhookLedger::Attempt& last(std::int64_t event, WebhookId webhook = kFirst) {
        return outbox.entries.at({webhook, EventId{event}}).attempts.back();
    }

    testing_support::TestLoop loop;
    testing_support::ScriptedOutbox outbox;
    HeldPoster poster;
    WebhookSecrets secrets{{7}};
    testing_support::ManualClock clock;
    testing_support::ManualClock outside;
    testing_support::SeededRandom random{1};
    Log log{Log::Level::error, Log::Format::text};
    bool described = true;
    int places = 0;
    WebhookCourier courier{outbox,
                           poster,
                           secrets,
                           [this](const WebhookEvent& event) -> std::optional<std::string> {
                               if (!described) return std::nullopt;
                               return "{\"id\":\"" + event.id.text() + "\"}";
                           },
                           clock,
                           outside,
                           random,
                           log,
                           {},
                           [this] { ++places; }};
};

TEST_F(WebhookCourierTest, SendsASignedLetterAndNotesIt) {
    put(5);
    round();
    ASSERT_THAT(poster.letters, SizeIs(1));
    const auto& letter = poster.letters[0];
    EXPECT_EQ(letter.url, "https://a.example/");
    EXPECT_EQ(letter.body, R"({"id":"5"})");
    std::map<std::string, std::string> headers(letter.headers.begin(), letter.headers.end());
    EXPECT_EQ(headers["Sluice-Event"], "order.created");
    EXPECT_EQ(headers["Sluice-Event-Id"], "5");
    EXPECT_EQ(headers["Sluice-Delivery-Id"], "1-5");
    const std::vector secret{secrets.of(kFirst)};
    EXPECT_FALSE(find_flaw(headers["Sluice-Signature"], letter.body, secret, outside.now(), 1s));
    answer(204);
    EXPECT_EQ(last(5).state, DeliveryState::delivered);
    EXPECT_EQ(last(5).status, 204);
    EXPECT_EQ(courier.count(DeliveryState::delivered), 1U);
    EXPECT_EQ(places, 1);
}

TEST_F(WebhookCourierTest, SignsWithTheTimeOfOthers) {
    outside.move(1h);
    put(5);
    round();
    ASSERT_THAT(poster.letters, SizeIs(1));
    const std::vector secret{secrets.of(kFirst)};
    const auto signature = poster.letters[0].headers.front().second;
    EXPECT_FALSE(find_flaw(signature, poster.letters[0].body, secret, outside.now(), 1s));
    EXPECT_TRUE(find_flaw(signature, poster.letters[0].body, secret, clock.now(), 300s));
}

TEST_F(WebhookCourierTest, HasAFewPlacesForEachWebhook) {
    outbox.webhooks.push_back(
        {.id = kSecond, .url = "https://b.example/", .events = {}, .created_at = {}});
    for (int event = 1; event <= 20; ++event) put(event);
    put(1, kSecond);
    round();
    EXPECT_THAT(poster.letters, SizeIs(9)) << "a full one keeps no other waiting";
    round();
    EXPECT_THAT(poster.letters, SizeIs(9)) << "what is under way is not begun again";
    answer(200);
    round();
    EXPECT_THAT(poster.letters, SizeIs(10));
    while (!poster.waiting.empty()) answer(200);
}

TEST_F(WebhookCourierTest, AsksASilentReceiverOneAtATime) {
    for (int event = 1; event <= 9; ++event) put(event);
    round();
    for (int i = 0; i < 8; ++i) answer(0, "connection refused");
    EXPECT_EQ(last(1).state, DeliveryState::pending);
    EXPECT_EQ(last(1).error, "connection refused");
    EXPECT_LE(round(), 5s);
    EXPECT_THAT(poster.waiting, SizeIs(0)) << "it is left alone for a while";
    clock.move(5s);
    round();
    EXPECT_THAT(poster.waiting, SizeIs(1));
    answer(200);
    clock.move(10s);
    round();
    EXPECT_THAT(poster.waiting, SizeIs(8)) << "it is back";
    while (!poster.waiting.empty()) answer(200);
}

TEST_F(WebhookCourierTest, WhatEndsWhileTheLedgerIsAskedIsNotBegunAgain) {
    put(1);
    round();
    outbox.while_asked = [this] { poster.answer(200); };
    round();
    outbox.while_asked = [] {};
    EXPECT_THAT(poster.letters, SizeIs(1)) << "the ledger's answer is older than the delivery";
    round();
    EXPECT_THAT(poster.letters, SizeIs(1));
}

TEST_F(WebhookCourierTest, HangsUpOnThoseWhoDoNotAnswerWhenItStops) {
    put(1);
    round();
    bool finished = false;
    loop.spawn(courier.finish(), [&](std::exception_ptr) { finished = true; });
    loop.run();
    EXPECT_TRUE(finished);
    EXPECT_EQ(last(1).state, DeliveryState::pending) << "it is told again after the next start";
}

TEST_F(WebhookCourierTest, WaitsLongerEachTimeAndGivesUpByAge) {
    put(1);
    const auto begin = clock.now();
    std::chrono::milliseconds shortest = 0ms;
    int attempts = 0;
    for (;; ++attempts) {
        const auto sent = poster.letters.size();
        round();
        ASSERT_THAT(poster.letters, SizeIs(sent + 1));
        answer(attempts % 2 ? 500 : 302);
        if (last(1).state == DeliveryState::dead) break;
        const auto pause = *last(1).again - clock.now();
        const auto whole = std::min<std::chrono::milliseconds>(5s * (1LL << std::min(attempts, 20)),
                                                               std::chrono::hours{1});
        EXPECT_LE(pause, whole);
        if (clock.now() + whole < begin + 72h) {
            EXPECT_GE(pause, whole / 2);
            EXPECT_GE(pause, shortest / 2);
        }
        shortest = pause;
        clock.move(pause - 1ms);
        EXPECT_EQ(round(), 1ms) << "it says when the next is due";
        clock.move(1ms);
    }
    EXPECT_EQ(clock.now(), begin + 72h) << "the last attempt is at the end of its time";
    EXPECT_GT(attempts, 70);
    EXPECT_EQ(courier.count(DeliveryState::dead), 1U);
}

TEST_F(WebhookCourierTest, SendsAgainWhatWasNotNoted) {
    put(1);
    outbox.loses_notes = true;
    round();
    answer(200);
    outbox.loses_notes = false;
    EXPECT_GT(round(), 1s) << "not at once, or a full disk would make it a storm";
    EXPECT_THAT(poster.letters, SizeIs(1));
    clock.move(2s);
    round();
    EXPECT_THAT(poster.letters, SizeIs(2));
    EXPECT_EQ(poster.letters[0].body, poster.letters[1].body);
    answer(200);
    EXPECT_EQ(last(1).state, DeliveryState::delivered);
}

TEST_F(WebhookCourierTest, PutsOffWhatItCannotDescribe) {
    put(1);
    described = false;
    round();
    EXPECT_THAT(poster.letters, SizeIs(0));
    EXPECT_EQ(last(1).state, DeliveryState::pending);
}

TEST_F(WebhookCourierTest, FinishesWhatIsUnderWayAndBeginsNothingMore) {
    put(1);
    put(2);
    round();
    bool finished = false;
    loop.spawn(courier.finish(), [&](std::exception_ptr) { finished = true; });
    settle();
    put(3);
    round();
    EXPECT_THAT(poster.letters, SizeIs(2));
    answer(200);
    EXPECT_FALSE(finished);
    answer(200);
    EXPECT_TRUE(finished);
}

TEST_F(WebhookCourierTest, CountsAgainWhenTheTimeWasSetBack) {
    put(1);
    clock.move(8h);
    round();
    EXPECT_EQ(courier.backlog(), 1U);
    clock.move(-7h);
    put(2);
    round();
    EXPECT_EQ(courier.backlog(), 2U);
}

TEST_F(WebhookCourierTest, NothingIsPendingWithoutWebhooks) {
    put(1);
    round();
    EXPECT_EQ(courier.backlog(), 1U);
    outbox.webhooks.clear();
    outbox.entries.clear();
    round();
    round();
    EXPECT_EQ(courier.backlog(), 0U);
    EXPECT_EQ(courier.oldest_seconds(), 0);
    while (!poster.waiting.empty()) answer(200);
}

TEST_F(WebhookCourierTest, CountsWhatIsPending) {
    put(1);
    put(2);
    clock.move(3s);
    round();
    EXPECT_EQ(courier.backlog(), 2U);
    EXPECT_EQ(courier.oldest_seconds(), 3);
    EXPECT_TRUE(courier.has_receivers());
    while (!poster.waiting.empty()) answer(200);
    outbox.webhooks.clear();
    outbox.entries.clear();
    round();
    EXPECT_FALSE(courier.has_receivers());
}

}  // namespace
}  // namespace sluice
