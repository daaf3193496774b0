#include "adapters/web/http_message_sender.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "domain/event_signature.hpp"
#include "support/manual_clock.hpp"

namespace sluice::web {
namespace {

using Sent = MessageSender::Sent;

class ScriptedPoster final : public Poster {
  public:
    Task<Answer> post(Letter letter) override {
        letters.push_back(std::move(letter));
        co_return answer;
    }
    void hang_up() override {}

    Answer answer{.status = 200, .failure = ""};
    std::vector<Letter> letters;
};

const PhoneMessage kMessage{.id = "m1",
                            .phone = "+8613712345678",
                            .text = "【\"Tea\"】 {code} 424242",
                            .code = "424242",
                            .minutes = 10,
                            .good_until = {}};

class HttpMessageSenderTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    ScriptedPoster poster;
    HttpMessageSender sender{poster,
                             {.url = "https://sms.example.com/send",
                              .secret = "a secret of sixteen",
                              .body = R"({"to":"{phone}","text":"{text}","m":{minutes}})"},
                             clock};
    Sent send() { return run_to_end(sender.send(kMessage)).sent; }
};

TEST_F(HttpMessageSenderTest, SendsASignedLetterWithTheMessagesId) {
    EXPECT_EQ(send(), Sent::taken);
    ASSERT_EQ(poster.letters.size(), 1u);
    const auto& letter = poster.letters[0];
    EXPECT_EQ(letter.url, "https://sms.example.com/send");
    EXPECT_EQ(letter.body, R"({"to":"+8613712345678","text":"【\"Tea\"】 {code} 424242","m":10})")
        << "escaped, and what is filled in is not looked at again";
    ASSERT_EQ(letter.headers.size(), 2u);
    EXPECT_EQ(letter.headers[0].first, kSignatureHeader);
    const std::string secrets[] = {"a secret of sixteen"};
    EXPECT_FALSE(find_flaw(letter.headers[0].second, letter.body, secrets, clock.now(),
                           std::chrono::seconds{1}));
    EXPECT_EQ(letter.headers[1], std::pair(std::string("Idempotency-Key"), std::string("m1")));
}

TEST_F(HttpMessageSenderTest, TellsWhatMayPassFromWhatWillNot) {
    const struct {
        unsigned status;
        Sent sent;
    } rows[] = {{200, Sent::taken},     {202, Sent::taken},     {0, Sent::try_again},
                {500, Sent::try_again}, {503, Sent::try_again}, {429, Sent::try_again},
                {408, Sent::try_again}, {400, Sent::refused},   {401, Sent::refused},
                {404, Sent::refused},   {302, Sent::refused}};
    for (const auto& [status, sent] : rows) {
        poster.answer.status = status;
        EXPECT_EQ(send(), sent) << status;
    }
}

}  // namespace
}  // namespace sluice::web
