#include "domain/pass.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const Passes kPasses{Passes::Key{1}};
constexpr UserId kBuyer{5};
constexpr SaleId kSale{7};
constexpr SessionKey kSession{9};
constexpr Timestamp kExpires = from_millis(1'794'513'600'000);

TEST(Pass, IsReadOnlyByWhomItIsFor) {
    const auto text = kPasses.make(kBuyer, kSale, kSession, kExpires, {1, 2, 3});
    const auto pass = kPasses.read(text, kBuyer, kSale, kSession);
    ASSERT_TRUE(pass);
    EXPECT_EQ(pass->expires_at, kExpires);
    EXPECT_FALSE(kPasses.read(text, UserId{6}, kSale, kSession));
    EXPECT_FALSE(kPasses.read(text, kBuyer, SaleId{8}, kSession));
    EXPECT_FALSE(kPasses.read(text, kBuyer, kSale, SessionKey{8}));
    EXPECT_FALSE(Passes{Passes::Key{2}}.read(text, kBuyer, kSale, kSession));
}

TEST(Pass, NoChangedLetterPasses) {
    const auto text = kPasses.make(kBuyer, kSale, kSession, kExpires, {});
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto forged = text;
        forged[i] = forged[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(kPasses.read(forged, kBuyer, kSale, kSession)) << i;
    }
    EXPECT_FALSE(kPasses.read("", kBuyer, kSale, kSession));
    EXPECT_FALSE(kPasses.read(text + "A", kBuyer, kSale, kSession));
}

TEST(Ticket, IsTheSameForTheSameAttempt) {
    const TicketMarks marks{TicketMarks::Key{3}};
    const Mark pass{1}, other_pass{2};
    const auto key = marks.of_key(kSale, kBuyer, "a");
    EXPECT_EQ(marks.ticket(kSale, 1, kBuyer, 1, pass, {}),
              marks.ticket(kSale, 1, kBuyer, 1, pass, {}));
    EXPECT_NE(marks.ticket(kSale, 1, kBuyer, 1, pass, {}),
              marks.ticket(kSale, 1, kBuyer, 1, other_pass, {}));
    EXPECT_NE(marks.ticket(kSale, 1, kBuyer, 1, pass, {}),
              marks.ticket(kSale, 2, kBuyer, 1, pass, {}));
    EXPECT_NE(marks.ticket(kSale, 1, kBuyer, 1, pass, {}),
              marks.ticket(kSale, 1, UserId{6}, 1, pass, {}));
    EXPECT_NE(marks.ticket(kSale, 1, kBuyer, 1, pass, {}),
              marks.ticket(kSale, 1, kBuyer, 2, pass, {}))
        << "a ticket stands for a number of units";
    EXPECT_EQ(marks.ticket(kSale, 1, kBuyer, 1, pass, key),
              marks.ticket(kSale, 1, kBuyer, 1, other_pass, key))
        << "with a key the pass does not count";
    EXPECT_NE(marks.of_key(kSale, kBuyer, "a"), marks.of_key(kSale, UserId{6}, "a"));
}

TEST(Ticket, GoesIntoTextAndBack) {
    const TicketId id{SaleId{247643817724755968}, Mark{1, 2, 255}};
    EXPECT_EQ(id.text().size(), 32u);
    EXPECT_EQ(TicketId::parse(id.text()), id);
    EXPECT_FALSE(TicketId::parse(""));
    EXPECT_FALSE(TicketId::parse(std::string(32, 'A'))) << "no sale has the id 0";
    EXPECT_FALSE(TicketId::parse(id.text().substr(1)));
}

}  // namespace
}  // namespace sluice
