#include "domain/pass.hpp"

#include <gtest/gtest.h>

#include "base/encoding.hpp"
#include "support/pass_keys.hpp"

namespace sluice {
namespace {

using testing_support::pass_key;

const PassKeyRing kKeys{{pass_key(1)}};
const Passes kPasses{kKeys};
constexpr UserId kBuyer{5};
constexpr SaleId kSale{7};
constexpr Timestamp kExpires = from_millis(1'794'513'600'000);

TEST(Pass, IsReadOnlyByWhomItIsFor) {
    const auto text = kPasses.make(kBuyer, kSale, kExpires, {1, 2, 3});
    const auto pass = kPasses.read(text, kBuyer, kSale);
    ASSERT_TRUE(pass);
    EXPECT_EQ(pass->expires_at, kExpires);
    EXPECT_FALSE(kPasses.read(text, UserId{6}, kSale));
    EXPECT_FALSE(kPasses.read(text, kBuyer, SaleId{8}));
    auto other = pass_key(1);
    other.secret[5] ^= 1;
    const PassKeyRing other_keys{{other}};
    EXPECT_FALSE(Passes{other_keys}.read(text, kBuyer, kSale));
}

TEST(Pass, NoChangedLetterPasses) {
    const auto text = kPasses.make(kBuyer, kSale, kExpires, {});
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto forged = text;
        forged[i] = forged[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(kPasses.read(forged, kBuyer, kSale)) << i;
    }
    EXPECT_FALSE(kPasses.read("", kBuyer, kSale));
    EXPECT_FALSE(kPasses.read(text + "A", kBuyer, kSale));
}

TEST(Pass, NoChangedBitPasses) {
    const auto text = kPasses.make(kBuyer, kSale, kExpires, {4, 5, 6});
    std::array<unsigned char, 32> bytes;
    ASSERT_TRUE(from_base64url(text, bytes));
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        auto forged = bytes;
        forged[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
        EXPECT_FALSE(kPasses.read(to_base64url(forged), kBuyer, kSale)) << bit;
    }
}

TEST(Pass, OutlivesTheRotationOfItsKey) {
    PassKeyRing keys{{pass_key(1)}};
    const Passes passes{keys};
    const auto before = passes.make(kBuyer, kSale, kExpires, {});
    keys.exchange({pass_key(1), pass_key(2)});
    const auto after = passes.make(kBuyer, kSale, kExpires, {});
    EXPECT_NE(before, after) << "the newest key signs";
    EXPECT_TRUE(passes.read(before, kBuyer, kSale));
    EXPECT_TRUE(passes.read(after, kBuyer, kSale));
    keys.exchange({pass_key(2)});
    EXPECT_FALSE(passes.read(before, kBuyer, kSale)) << "its key is gone";
    EXPECT_TRUE(passes.read(after, kBuyer, kSale));
}

TEST(PassKeys, AReplacedKeyCountsForADay) {
    using namespace std::chrono_literals;
    const auto made = [](std::uint16_t id, std::chrono::hours at) {
        return pass_key(id, kExpires + at);
    };
    const std::vector keys{made(1, 0h), made(2, 100h), made(3, 110h)};
    const auto in_force = [&](Timestamp now) {
        std::vector<std::uint16_t> ids;
        for (const auto& key : keys_in_force(keys, now)) ids.push_back(key.id);
        return ids;
    };
    using Ids = std::vector<std::uint16_t>;
    EXPECT_EQ(in_force(kExpires + 124h - 1ms), (Ids{1, 2, 3}));
    EXPECT_EQ(in_force(kExpires + 124h), (Ids{2, 3}));
    EXPECT_EQ(in_force(kExpires + 134h), (Ids{3}));
    EXPECT_EQ(in_force(kExpires + 10'000h), (Ids{3})) << "the newest never ends";
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
