#include "domain/alert.hpp"

#include <gtest/gtest.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

Alert sold_out() {
    return {.kind = AlertKind::sold_out,
            .phase = AlertPhase::event,
            .subject = "42",
            .detail = "Tea set",
            .at = from_millis(1'794'513'600'000)};
}

TEST(AlertWords, AreInBothLanguages) {
    EXPECT_EQ(headline_of(sold_out(), Language::en), "Sold out: sale 42");
    EXPECT_EQ(headline_of(sold_out(), Language::zh), "已售罄：活动 42");
    Alert over{.kind = AlertKind::not_ready,
               .phase = AlertPhase::over,
               .subject = "ledger",
               .detail = "",
               .at = {}};
    EXPECT_EQ(headline_of(over, Language::en), "Ready again: ledger");
    EXPECT_EQ(headline_of(over, Language::zh), "已恢复就绪：ledger");
}

TEST(AlertWords, SayWhatWhereAndWhen) {
    const auto message = make_message("7", sold_out(), "https://shop.example", Language::en);
    EXPECT_EQ(message.text(),
              "Sold out: sale 42\nTea set\nhttps://shop.example · 2026-11-12T20:00:00.000Z");
}

TEST(AlertWords, AreBoundedAndOnOneLineEach) {
    auto alert = sold_out();
    alert.subject = std::string(5'000, 'x');
    alert.detail = "a\r\nBcc: b";
    for (int i = 0; i < 1'000; ++i) alert.detail += "茶";
    const auto message = make_message("7", alert, std::string(5'000, 'y'), Language::zh);
    EXPECT_LE(message.headline.size(), 200u);
    EXPECT_LE(message.alert.detail.size(), AlertMessage::kLongestDetail);
    EXPECT_LE(message.from.size(), AlertMessage::kLongestFrom);
    EXPECT_TRUE(message.alert.detail.starts_with("a  Bcc: b"));
    EXPECT_TRUE(is_utf8(message.text()));
    EXPECT_LE(message.text().size(), 1'100u) << "WeCom takes 2,048 bytes";
}

TEST(Shortened, CutsBetweenCharacters) {
    EXPECT_EQ(shortened("tea", 3), "tea");
    EXPECT_EQ(shortened("teapot", 5), "te…");
    EXPECT_EQ(shortened("茶茶茶", 9), "茶茶茶");
    EXPECT_EQ(shortened("茶茶茶", 8), "茶…");
    EXPECT_EQ(shortened("茶茶茶", 7), "茶…");
    EXPECT_EQ(shortened("茶茶茶", 5), "…");
}

}  // namespace
}  // namespace sluice
