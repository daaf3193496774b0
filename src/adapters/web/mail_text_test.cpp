#include "adapters/web/mail_text.hpp"

#include <gtest/gtest.h>

#include "base/encoding.hpp"

namespace sluice::web {
namespace {

AlertMessage sold_out_message() {
    return make_message("7-1",
                        {.kind = AlertKind::sold_out,
                         .phase = AlertPhase::event,
                         .subject = "42",
                         .detail = "Tea\r\nBcc: everybody@example.com",
                         .at = from_millis(1'794'513'600'000)},
                        "https://shop.example", Language::zh);
}

TEST(MailDate, IsOfTheHead) {
    EXPECT_EQ(mail_date(from_millis(1'794'513'600'000)), "Thu, 12 Nov 2026 20:00:00 +0000");
    EXPECT_EQ(mail_date(from_millis(951'782'461'999)), "Tue, 29 Feb 2000 00:01:01 +0000");
}

TEST(EncodedWords, AreAsciiAndCutBetweenCharacters) {
    EXPECT_EQ(encoded_words("Sold out"), "=?UTF-8?B?U29sZCBvdXQ=?=");
    std::string text;
    for (int i = 0; i < 40; ++i) text += "茶";
    const auto words = encoded_words(text);
    EXPECT_EQ(words.find("\r\n "), words.find("?=") + 2);
    for (std::size_t at = 0; at < words.size();) {
        const auto end = std::min(words.find("\r\n ", at), words.size());
        EXPECT_LE(end - at, 76u);
        at = end + 3;
    }
    // 15 characters of three bytes in each word.
    EXPECT_TRUE(words.starts_with("=?UTF-8?B?" +
                                  to_base64(bytes_of(std::string_view(text).substr(0, 45))) +
                                  "?=\r\n =?UTF-8?B?"));
}

TEST(MailText, HasAHeadAndABodyInBase64) {
    const auto mail =
        mail_text(sold_out_message(), "sluice@shop.example", {"a@shop.example", "b@shop.example"});
    EXPECT_TRUE(
        mail.starts_with("Date: Thu, 12 Nov 2026 20:00:00 +0000\r\n"
                         "From: Sluice <sluice@shop.example>\r\n"
                         "To: <a@shop.example>,\r\n <b@shop.example>\r\n"
                         "Subject: =?UTF-8?B?"));
    EXPECT_NE(mail.find("\r\nMessage-ID: <7-1.sluice@shop.example>\r\n"), mail.npos);
    EXPECT_NE(mail.find("\r\nAuto-Submitted: auto-generated\r\n"), mail.npos);
    EXPECT_EQ(mail.find("Bcc"), mail.npos) << "nothing of an alert is a field of the head";
    EXPECT_TRUE(mail.ends_with("\r\n"));
    EXPECT_EQ(mail.find("\r\n."), mail.npos);
    for (const char c : mail) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
}

}  // namespace
}  // namespace sluice::web
