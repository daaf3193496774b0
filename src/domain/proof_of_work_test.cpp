#include "domain/proof_of_work.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const WorkChallenges kChallenges{WorkChallenges::Key{1}};
constexpr UserId kBuyer{5};
constexpr SaleId kSale{7};
constexpr Timestamp kExpires = from_millis(1'794'513'600'000);

TEST(ProofOfWork, CountsLeadingZeroBits) {
    // Found with another program's SHA-256: each answer's hash has exactly so many zero bits.
    const std::string id(44, 'A');
    const std::pair<const char*, unsigned> vectors[] = {
        {"3", 0},       {"0", 1},       {"8", 2},       {"61", 3},      {"33", 7},
        {"592", 8},     {"340", 9},     {"6437", 12},   {"31013", 15},  {"78079", 16},
        {"423810", 17}, {"815793", 18}, {"226533", 19}, {"1778741", 21}};
    for (const auto& [answer, bits] : vectors) {
        EXPECT_TRUE(proves_work(id, answer, bits)) << answer;
        EXPECT_FALSE(proves_work(id, answer, bits + 1)) << answer;
    }
    EXPECT_FALSE(proves_work(std::string(43, 'A') + "B", "1778741", 8))
        << "work for one challenge is worth nothing for another";
}

TEST(ProofOfWork, PrefixAndShortAnswerFitOneBlock) {
    const auto id = kChallenges.seal(kBuyer, kSale, 18, kExpires, {});
    // 64 bytes, nine of which SHA-256 needs for itself.
    EXPECT_LE(work_prefix(id).size() + 10, 64u - 9);
}

TEST(WorkChallenge, IsOpenedOnlyByWhomItIsFor) {
    const auto id = kChallenges.seal(kBuyer, kSale, 18, kExpires, {1, 2, 3});
    const auto challenge = kChallenges.open(id, kBuyer, kSale);
    ASSERT_TRUE(challenge);
    EXPECT_EQ(challenge->bits, 18u);
    EXPECT_EQ(challenge->expires_at, kExpires);
    EXPECT_FALSE(kChallenges.open(id, UserId{6}, kSale));
    EXPECT_FALSE(kChallenges.open(id, kBuyer, SaleId{8}));
    EXPECT_FALSE(kChallenges.open(id, UserId{kSale.value}, SaleId{kBuyer.value}));
    EXPECT_FALSE(WorkChallenges{WorkChallenges::Key{2}}.open(id, kBuyer, kSale));
    EXPECT_NE(id, kChallenges.seal(kBuyer, kSale, 18, kExpires, {1, 2, 4}));
}

TEST(WorkChallenge, NoChangedLetterOpens) {
    const auto id = kChallenges.seal(kBuyer, kSale, 18, kExpires, {});
    for (std::size_t i = 0; i < id.size(); ++i) {
        auto forged = id;
        forged[i] = forged[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(kChallenges.open(forged, kBuyer, kSale)) << i;
    }
    EXPECT_FALSE(kChallenges.open("", kBuyer, kSale));
    EXPECT_FALSE(kChallenges.open(id + "A", kBuyer, kSale));
    EXPECT_FALSE(kChallenges.open(id.substr(1), kBuyer, kSale));
}

}  // namespace
}  // namespace sluice
