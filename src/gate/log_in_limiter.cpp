#include "gate/log_in_limiter.hpp"

#include <algorithm>

#include <sodium.h>

namespace sluice::gate {

LogInLimiter::LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key)
    : scope_(scope), hash_key_(hash_key) {}

Headroom LogInLimiter::count(const Try& attempt, Instant now) {
    if (!is_limited(attempt.client)) return {};
    if (attempt.device) {
        const auto own = count_one(Kind::device, kMistakes, attempt, now);
        if (own.count.wait.count() > 0) return own;
        const auto all = count_one(Kind::devices, kMistakesOfDevices, attempt, now);
        if (all.count.wait.count() == 0) return own;
    }
    return count_stranger(attempt, now);
}

Headroom LogInLimiter::count_stranger(const Try& attempt, Instant now) {
    const auto nearest = count_one(Kind::household, kMistakes, attempt, now);
    if (nearest.count.wait.count() > 0) return nearest;
    if (!attempt.client.is_v4()) {
        const auto site = count_one(Kind::site, kMistakesOfSite, attempt, now);
        if (site.count.wait.count() > 0) return site;
    }
    const auto strangers = count_one(Kind::strangers, kMistakesOfStrangers, attempt, now);
    return strangers.count.wait.count() > 0 ? strangers : nearest;
}

void LogInLimiter::forgive(const Try& attempt) {
    if (!is_limited(attempt.client)) return;
    if (attempt.device) {
        limiter_.forget(key_of(Kind::device, attempt));
        limiter_.give_back(key_of(Kind::devices, attempt), Quota::of(kMistakesOfDevices));
        return;
    }
    limiter_.forget(key_of(Kind::household, attempt));
    limiter_.forget(key_of(Kind::site, attempt));
    limiter_.give_back(key_of(Kind::strangers, attempt), Quota::of(kMistakesOfStrangers));
}

Headroom LogInLimiter::count_one(Kind kind, const Rate& rate, const Try& attempt, Instant now) {
    const auto quota = Quota::of(rate);
    return {"password", quota, limiter_.count(key_of(kind, attempt), quota, now)};
}

bool LogInLimiter::is_limited(const Address& client) const {
    return scope_.enabled() && !scope_.exempts(client);
}

std::uint64_t LogInLimiter::key_of(Kind kind, const Try& attempt) const {
    // What comes before the name has a fixed length for each kind, and the name is of bounded
    // length: no two tries make the same text.
    std::array<unsigned char, 128> text{};
    auto end = text.begin();
    *end++ = static_cast<unsigned char>(kind);
    *end++ = static_cast<unsigned char>(attempt.secret);
    if (kind == Kind::device) {
        end = std::ranges::copy(*attempt.device, end).out;
    } else if (kind == Kind::household || kind == Kind::site) {
        const auto where =
            kind == Kind::site ? site_of(attempt.client) : household_of(attempt.client);
        end = std::ranges::copy(where.base.bytes, end).out;
    }
    const auto room = static_cast<std::size_t>(text.end() - end);
    end = std::ranges::copy(attempt.whose.substr(0, room), end).out;
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(),
                     static_cast<unsigned long long>(end - text.begin()), hash_key_.data());
    return key;
}

}  // namespace sluice::gate
