#include "app/purchase/absences.hpp"

#include <algorithm>
#include <cstring>

#include <sodium.h>

#include "base/check.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongest = 64;

// A slot holds the upper 48 bits of the hash and the minute in which the absence was noted. That
// minute is never 0 in a slot that is in use.
constexpr std::uint64_t kMinuteMask = 0xffff;

std::uint64_t minute_of(Absences::Instant now) {
    const auto minutes = std::chrono::floor<std::chrono::minutes>(now.time_since_epoch()).count();
    return static_cast<std::uint64_t>(minutes) % kMinuteMask + 1;
}

bool is_recent(std::uint64_t slot, std::uint64_t minute) {
    const auto noted = slot & kMinuteMask;
    return noted == minute || noted + 1 == minute;
}

}  // namespace

Absences::Absences(const HashKey& hash_key, std::size_t sets)
    : hash_key_(hash_key), mask_(sets - 1), sets_(std::make_unique<Set[]>(sets)) {
    CHECK(sets > 0 && (sets & mask_) == 0, "the table's size is a power of two");
}

bool Absences::contains(const Question& question, Instant now) const {
    const auto hash = hash_of(question);
    const auto minute = minute_of(now);
    return std::ranges::any_of(sets_[hash & mask_], [&](const auto& slot) {
        const auto seen = slot.load(std::memory_order_relaxed);
        return ((seen ^ hash) & ~kMinuteMask) == 0 && is_recent(seen, minute);
    });
}

void Absences::note(const Question& question, Instant now) {
    const auto hash = hash_of(question);
    const auto minute = minute_of(now);
    auto& set = sets_[hash & mask_];
    auto at = std::ranges::find_if(set, [&](const auto& slot) {
        return !is_recent(slot.load(std::memory_order_relaxed), minute);
    });
    // All are recent: any may be replaced, as long as nobody can choose which one.
    if (at == set.end()) at = set.begin() + (hash >> 62);
    at->store((hash & ~kMinuteMask) | minute, std::memory_order_relaxed);
}

std::uint64_t Absences::hash_of(const Question& question) const {
    const auto& [asker, what, edition] = question;
    CHECK(what.size() <= kLongest, "names of things are short");
    unsigned char text[sizeof asker + sizeof edition + kLongest];
    std::memcpy(text, &asker, sizeof asker);
    std::memcpy(text + sizeof asker, &edition, sizeof edition);
    std::memcpy(text + sizeof asker + sizeof edition, what.data(), what.size());
    std::uint64_t hash = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&hash), text,
                     sizeof asker + sizeof edition + what.size(), hash_key_.data());
    return hash;
}

}  // namespace sluice
