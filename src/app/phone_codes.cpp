#include "app/phone_codes.hpp"

#include <cstring>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/keyed_hash.hpp"
#include "base/names.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint64_t kCodes = 1'000'000;

constexpr Names<CodePurpose::password> kPurposes({{CodePurpose::registration, "registration"},
                                                  {CodePurpose::password, "password"}});

}  // namespace

std::optional<CodePurpose> parse_code_purpose(std::string_view text) {
    return kPurposes.parse(text);
}

std::string PhoneCodes::issue(CodePurpose purpose, std::string_view phone) {
    std::array<unsigned char, 8> random;
    random_.fill(random);
    std::uint64_t number = 0;
    std::memcpy(&number, random.data(), sizeof number);
    // 2^64 is so much larger than a million that no code is noticeably more likely than another.
    auto code = std::to_string(number % kCodes);
    code.insert(0, kDigits - code.size(), '0');
    const auto name = name_of(purpose, phone);
    const Entry entry{.digest = digest_of(name, code)};
    const auto now = clock_.now();
    const MutexLock lock(mutex_);
    const bool known = entries_.find(name, now) != nullptr;
    if (!known && entries_.size() >= kMost) throw Overload("too many codes are out");
    entries_.put(name, entry, now + kLife);
    return code;
}

bool PhoneCodes::redeem(CodePurpose purpose, std::string_view phone, std::string_view code) {
    const auto name = name_of(purpose, phone);
    const auto given = digest_of(name, code);
    const MutexLock lock(mutex_);
    auto* entry = entries_.find(name, clock_.now());
    if (!entry) return false;
    if (entry->spent) return false;
    const bool right = is_same_mac(given.data(), entry->digest.data());
    if (right)
        entry->spent = true;
    else if (++entry->tries >= kTries)
        entries_.erase(name);
    return right;
}

void PhoneCodes::give_back(CodePurpose purpose, std::string_view phone, std::string_view code) {
    const auto name = name_of(purpose, phone);
    const auto given = digest_of(name, code);
    const MutexLock lock(mutex_);
    auto* entry = entries_.find(name, clock_.now());
    // A newer one that was issued meanwhile counts.
    if (entry && is_same_mac(given.data(), entry->digest.data())) entry->spent = false;
}

std::size_t PhoneCodes::size() const {
    const MutexLock lock(mutex_);
    return entries_.size();
}

std::string PhoneCodes::name_of(CodePurpose purpose, std::string_view phone) {
    std::string name(1, static_cast<char>(purpose));
    return name.append(phone);
}

PhoneCodes::Digest PhoneCodes::digest_of(std::string_view name, std::string_view code) const {
    // The code comes first with its length, so that no two pairs make the same text.
    std::string text(1, static_cast<char>(code.size() & 0x7f));
    text.append(code.substr(0, 64)).append(name);
    Digest digest;
    crypto_generichash(digest.data(), digest.size(), bytes_of(text).data(), text.size(),
                       key_.data(), key_.size());
    return digest;
}

}  // namespace sluice
