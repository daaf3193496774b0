#include "gate/log_in_limiter.hpp"

#include <algorithm>

#include <sodium.h>

namespace sluice::gate {

LogInLimiter::LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key)
    : scope_(scope), hash_key_(hash_key) {}

Headroom LogInLimiter::count(std::string_view phone, const Address& client, Instant now) {
    if (!is_limited(client)) return {};
    const auto quota = Quota::of(kMistakes);
    return {"password", quota, limiter_.count(key_of(phone, client), quota, now)};
}

void LogInLimiter::forgive(std::string_view phone, const Address& client) {
    limiter_.forget(key_of(phone, client));
}

bool LogInLimiter::is_limited(const Address& client) const {
    return scope_.enabled() && !scope_.exempts(client);
}

std::uint64_t LogInLimiter::key_of(std::string_view phone, const Address& client) const {
    const auto home = household_of(client);
    // The phone comes last and is of bounded length: no two pairs make the same text.
    std::array<unsigned char, 128> text{};
    auto end = std::ranges::copy(home.base.bytes, text.begin()).out;
    *end++ = static_cast<unsigned char>(home.prefix);
    const auto room = static_cast<std::size_t>(text.end() - end);
    end = std::ranges::copy(phone.substr(0, room), end).out;
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(),
                     static_cast<unsigned long long>(end - text.begin()), hash_key_.data());
    return key;
}

}  // namespace sluice::gate
