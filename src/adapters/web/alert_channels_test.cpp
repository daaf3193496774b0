#include "adapters/web/alert_channels.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "domain/event_signature.hpp"
#include "support/manual_clock.hpp"

namespace sluice::web {
namespace {

using Told = AlertChannel::Told;

class AnsweringPoster final : public Poster {
  public:
    Task<Answer> post(Letter letter) override {
        letters.push_back(std::move(letter));
        co_return answer;
    }
    void hang_up() override {}

    Answer answer{.status = 200, .failure = "", .body = R"({"errcode":0,"errmsg":"ok"})"};
    std::vector<Letter> letters;
};

class AlertChannelsTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    AnsweringPoster poster;
    AlertMessage message = make_message("m1",
                                        {.kind = AlertKind::sold_out,
                                         .phase = AlertPhase::event,
                                         .subject = "42",
                                         .detail = "Tea & <\"cups\">",
                                         .at = clock.now()},
                                        "https://shop.example", Language::zh);

    AlertChannel::Answer tell(AlertChannel& channel) { return run_to_end(channel.tell(message)); }
    boost::json::value body() const { return boost::json::parse(poster.letters.at(0).body); }
};

TEST_F(AlertChannelsTest, AWebhookGetsSignedJson) {
    WebhookAlerts channel(poster, "https://shop.example/alerts", "a secret of sixteen", clock);
    EXPECT_EQ(tell(channel).told, Told::taken);
    const auto& letter = poster.letters.at(0);
    EXPECT_EQ(letter.url, "https://shop.example/alerts");
    const std::string secrets[] = {"a secret of sixteen"};
    ASSERT_EQ(letter.headers.size(), 3u);
    EXPECT_FALSE(find_flaw(letter.headers[0].second, letter.body, secrets, clock.now(),
                           std::chrono::seconds{1}));
    EXPECT_EQ(letter.headers[2], std::pair(std::string("Sluice-Event-Id"), std::string("m1")));
    const auto json = body();
    EXPECT_EQ(json.at("id"), "m1");
    EXPECT_EQ(json.at("type"), "alert");
    EXPECT_EQ(json.at("data").at("kind"), "sold_out");
    EXPECT_EQ(json.at("data").at("phase"), "event");
    EXPECT_EQ(json.at("data").at("subject"), "42");
    EXPECT_EQ(json.at("data").at("headline"), "已售罄：活动 42");
    EXPECT_EQ(json.at("data").at("detail"), "Tea & <\"cups\">");
}

TEST_F(AlertChannelsTest, RobotsGetText) {
    const auto text = "[Sluice] " + message.text();
    WecomAlerts wecom(poster, "https://qyapi.example/send?key=k");
    EXPECT_EQ(tell(wecom).told, Told::taken);
    EXPECT_EQ(body().at("msgtype"), "text");
    EXPECT_EQ(body().at("text").at("content").as_string(), text);

    poster.letters.clear();
    DingtalkAlerts dingtalk(poster, "https://oapi.example/send?access_token=k", "", clock);
    EXPECT_EQ(tell(dingtalk).told, Told::taken);
    EXPECT_EQ(poster.letters.at(0).url, "https://oapi.example/send?access_token=k");
    EXPECT_EQ(body().at("text").at("content").as_string(), text);

    poster.letters.clear();
    poster.answer.body = "ok";
    SlackAlerts slack(poster, "https://hooks.example/services/k");
    EXPECT_EQ(tell(slack).told, Told::taken);
    EXPECT_NE(body().at("text").as_string().find("Tea &amp; &lt;\"cups\"&gt;"),
              boost::json::string::npos);
}

TEST_F(AlertChannelsTest, DingtalkGetsItsSignature) {
    // Made with Python's hmac, base64 and urllib.parse.quote.
    EXPECT_EQ(dingtalk_signature("SECabcdefghijklmnop", "1794513600000"),
              "w93Rlx5ZEsNKBcAQWZgvJFURkdgjeaagkP7jM5M6Hjo%3D");
    DingtalkAlerts channel(poster, "https://oapi.example/send?access_token=k",
                           "SECabcdefghijklmnop", clock);
    tell(channel);
    EXPECT_EQ(poster.letters.at(0).url,
              "https://oapi.example/send?access_token=k&timestamp=1794513600000"
              "&sign=w93Rlx5ZEsNKBcAQWZgvJFURkdgjeaagkP7jM5M6Hjo%3D");
}

TEST_F(AlertChannelsTest, RobotsRefuseWith200) {
    WecomAlerts channel(poster, "https://qyapi.example/send?key=k");
    const struct {
        const char* body;
        Told told;
    } rows[] = {{R"({"errcode":0})", Told::taken},
                {R"({"errcode":93000,"errmsg":"invalid webhook url"})", Told::refused},
                {R"({"errcode":45009,"errmsg":"api freq out of limit"})", Told::try_again},
                {R"({"errcode":-1})", Told::try_again},
                {R"({"errcode":"0"})", Told::refused},
                {R"([0])", Told::refused},
                {"<html>", Told::refused},
                {"", Told::refused}};
    for (const auto& row : rows) {
        poster.answer.body = row.body;
        const auto answer = tell(channel);
        EXPECT_EQ(answer.told, row.told) << row.body;
        EXPECT_EQ(answer.reason.empty(), row.told == Told::taken) << row.body;
        EXPECT_EQ(answer.reason.find("key=k"), answer.reason.npos) << "a secret";
    }
}

TEST_F(AlertChannelsTest, TellsWhatMayPassFromWhatWillNot) {
    WecomAlerts wecom(poster, "https://qyapi.example/send?key=k");
    SlackAlerts slack(poster, "https://hooks.example/services/k");
    const struct {
        unsigned status;
        Told told;
    } rows[] = {{0, Told::try_again}, {500, Told::try_again}, {429, Told::try_again},
                {302, Told::refused}, {403, Told::refused},   {404, Told::refused}};
    for (const auto& row : rows) {
        poster.answer = {.status = row.status, .failure = "connection refused", .body = ""};
        for (AlertChannel* channel :
             {static_cast<AlertChannel*>(&wecom), static_cast<AlertChannel*>(&slack)})
            EXPECT_EQ(tell(*channel).told, row.told) << row.status;
    }
}

}  // namespace
}  // namespace sluice::web
