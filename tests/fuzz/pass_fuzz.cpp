#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "domain/pass.hpp"
#include "fuzz/targets.hpp"

namespace sluice::fuzz {
namespace {

constexpr UserId kBuyer{7};
constexpr SaleId kSale{8};

/// A pass in other bytes than those that we made: a MAC cannot be guessed, so none may be read.
void altered(const Passes& passes, std::string_view bytes) {
    const auto genuine = passes.make(kBuyer, kSale, from_millis(1'794'513'600'000), {1, 2});
    std::array<unsigned char, 32> raw;
    CHECK(from_base64url(genuine, raw), "a pass is 32 bytes");
    auto changed = raw;
    for (std::size_t i = 0; i < std::min(bytes.size(), changed.size()); ++i)
        changed[i] ^= static_cast<unsigned char>(bytes[i]);
    const bool same = changed == raw;
    CHECK(passes.read(to_base64url(changed), kBuyer, kSale).has_value() == same,
          "a pass is read only as we made it");
}

/// A pass for another buyer or sale than it was made for.
void misplaced(const Passes& passes, std::string_view bytes) {
    if (bytes.size() < 2 * sizeof(std::int64_t)) return;
    UserId buyer;
    SaleId sale;
    std::memcpy(&buyer.value, bytes.data(), sizeof buyer.value);
    std::memcpy(&sale.value, bytes.data() + sizeof buyer.value, sizeof sale.value);
    const auto pass = passes.make(kBuyer, kSale, Timestamp{}, {});
    const bool mine = buyer == kBuyer && sale == kSale;
    CHECK(passes.read(pass, buyer, sale).has_value() == mine, "a pass is for one buyer and sale");
}

}  // namespace

void pass(std::string_view bytes) {
    const PassKeyRing keys({{.id = 1, .secret = {4, 5, 6}, .made_at = {}},
                            {.id = 258, .secret = {7, 8, 9}, .made_at = {}}});
    const Passes passes(keys);
    CHECK(!passes.read(bytes, kBuyer, kSale), "a made-up pass is refused");
    altered(passes, bytes);
    misplaced(passes, bytes);
}

}  // namespace sluice::fuzz
