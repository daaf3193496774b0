#include "app/phone_codes.hpp"

#include <cstring>
#include <span>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/names.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint64_t kCodes = 1'000'000;

constexpr Names<CodePurpose::password> kPurposes({{CodePurpose::registration, "registration"},
                                                  {CodePurpose::password, "password"}});

/// In the same time wherever they differ.
bool is_same_code(std::string_view given, std::string_view code) {
    return given.size() == code.size() &&
           sodium_memcmp(given.data(), code.data(), code.size()) == 0;
}

}  // namespace

std::optional<CodePurpose> parse_code_purpose(std::string_view text) {
    return kPurposes.parse(text);
}

std::string PhoneCodes::issue(CodePurpose purpose, std::string_view phone, CodeBearer bearer) {
    const auto name = name_of(purpose, phone);
    const auto now = clock_.now();
    auto fresh = make_entry(now);
    const MutexLock lock(mutex_);
    auto* known = entries_.find(name, now);
    if (!known && entries_.size() >= kMost) throw Overload("too many codes are out");
    const bool goes_on = known && !known->spent && now - known->made_at < kRenewable &&
                         tries_of(*known, bearer) < kTries;
    if (known && !goes_on) {
        // Whoever has asked before can use the new one as well: it goes to the same phone.
        fresh.seats = known->seats;
        for (auto& each : fresh.seats)
            if (each) each->tries = 0;
    }
    Entry entry = goes_on ? *known : fresh;
    seat(entry, bearer);
    entries_.put(name, entry, now + kLife);
    return code_of(name, entry);
}

void PhoneCodes::expect(CodePurpose purpose, std::string_view phone, CodeBearer bearer) {
    const auto name = name_of(purpose, phone);
    const MutexLock lock(mutex_);
    if (auto* entry = entries_.find(name, clock_.now())) seat(*entry, bearer);
}

bool PhoneCodes::redeem(CodePurpose purpose, std::string_view phone, CodeBearer bearer,
                        std::string_view code) {
    const auto name = name_of(purpose, phone);
    const MutexLock lock(mutex_);
    auto* entry = entries_.find(name, clock_.now());
    if (!entry || entry->spent) return false;
    auto& tries = tries_of(*entry, bearer);
    if (tries >= kTries) return false;
    const bool right = is_same_code(code, code_of(name, *entry));
    if (right)
        entry->spent = true;
    else
        ++tries;
    return right;
}

void PhoneCodes::give_back(CodePurpose purpose, std::string_view phone, std::string_view code) {
    const auto name = name_of(purpose, phone);
    const MutexLock lock(mutex_);
    auto* entry = entries_.find(name, clock_.now());
    // A newer one that was issued meanwhile counts.
    if (entry && is_same_code(code, code_of(name, *entry))) entry->spent = false;
}

std::size_t PhoneCodes::size() const {
    const MutexLock lock(mutex_);
    return entries_.size();
}

std::string PhoneCodes::name_of(CodePurpose purpose, std::string_view phone) {
    std::string name(1, static_cast<char>(purpose));
    return name.append(phone);
}

/// Nothing if no seat is left: then they share the tries of all others.
void PhoneCodes::seat(Entry& entry, CodeBearer bearer) {
    const auto seats = bearer.is_device ? std::span(entry.seats).subspan(kNetworks)
                                        : std::span(entry.seats).first(kNetworks);
    for (auto& each : seats) {
        if (!each) each = Seat{bearer};
        if (each->bearer == bearer) return;
    }
}

int& PhoneCodes::tries_of(Entry& entry, CodeBearer bearer) {
    for (auto& each : entry.seats)
        if (each && each->bearer == bearer) return each->tries;
    return entry.tries_of_others;
}

PhoneCodes::Entry PhoneCodes::make_entry(Timestamp now) {
    Entry entry{.made_at = now};
    random_.fill(entry.number);
    return entry;
}

std::string PhoneCodes::code_of(std::string_view name, const Entry& entry) const {
    std::string text(reinterpret_cast<const char*>(entry.number.data()), entry.number.size());
    text.append(name);
    std::array<unsigned char, 16> digest;
    crypto_generichash(digest.data(), digest.size(), bytes_of(text).data(), text.size(),
                       key_.data(), key_.size());
    std::uint64_t number = 0;
    std::memcpy(&number, digest.data(), sizeof number);
    // 2^64 is so much larger than a million that no code is noticeably more likely than another.
    auto code = std::to_string(number % kCodes);
    code.insert(0, kDigits - code.size(), '0');
    return code;
}

}  // namespace sluice
