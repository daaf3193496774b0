#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "domain/proof_of_work.hpp"
#include "fuzz/targets.hpp"

namespace sluice::fuzz {
namespace {

constexpr UserId kBuyer{7};
constexpr SaleId kSale{8};
constexpr unsigned kBits = 20;

void altered(const WorkChallenges& challenges, const std::string& genuine, std::string_view bytes) {
    std::array<unsigned char, 33> raw;
    CHECK(from_base64url(genuine, raw), "an id is 33 bytes");
    auto changed = raw;
    for (std::size_t i = 0; i < std::min(bytes.size(), changed.size()); ++i)
        changed[i] ^= static_cast<unsigned char>(bytes[i]);
    const bool same = changed == raw;
    CHECK(challenges.open(to_base64url(changed), kBuyer, kSale).has_value() == same,
          "a challenge is opened only as we made it");
}

}  // namespace

void challenge(std::string_view bytes) {
    const WorkChallenges challenges({4, 5, 6});
    CHECK(!challenges.open(bytes, kBuyer, kSale), "a made-up challenge is refused");
    const auto expires_at = from_millis(1'794'513'600'000);
    const auto id = challenges.seal(kBuyer, kSale, kBits, expires_at, {1, 2});
    const auto opened = challenges.open(id, kBuyer, kSale);
    CHECK(opened && opened->bits == kBits && opened->expires_at == expires_at,
          "a challenge survives being sealed");
    altered(challenges, id, bytes);

    CHECK(proves_work(id, bytes, 0), "nothing asked, nothing to prove");
    CHECK(!proves_work(id, bytes, 257), "no hash is that short");
    bool proven = true;
    for (unsigned bits = 1; bits <= kMostBits; ++bits) {
        const bool still = proves_work(id, bytes, bits);
        CHECK(proven || !still, "who proves more proves less");
        proven = still;
    }
}

}  // namespace sluice::fuzz
