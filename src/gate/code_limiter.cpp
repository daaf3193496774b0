#include "gate/code_limiter.hpp"

#include <algorithm>

#include <sodium.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

constexpr auto kDay = 24h;

std::string_view as_text(const Network& network) {
    return {reinterpret_cast<const char*>(network.base.bytes.data()), network.base.bytes.size()};
}

/// As the headers show it: the burst is the day's.
Quota shown(std::uint32_t most) {
    const auto interval = std::chrono::microseconds(kDay).count() / most;
    return {.interval = static_cast<std::uint32_t>(std::min<std::int64_t>(interval, UINT32_MAX)),
            .burst = most};
}

}  // namespace

Headroom CodeLimiter::count(std::string_view phone, const Address& client, Instant now) {
    if (!scope_.enabled()) return {};
    const auto phone_key = key_of(Kind::phone, phone);
    const auto pause = Quota::of(kPause);
    const Headroom soon{"codes", pause, pauses_.look(phone_key, pause, now)};
    if (soon.count.wait.count() > 0) return soon;

    const auto household = household_of(client);
    const auto site = site_of(client);
    const std::array bounds{Bound{key_of(Kind::all, ""), per_day_}, Bound{phone_key, kOfPhone},
                            Bound{key_of(Kind::household, as_text(household)), kOfHousehold},
                            Bound{key_of(Kind::site, as_text(site)), kOfSite}};
    const auto known = scope_.exempts(client) ? std::span(bounds).first(2) : std::span(bounds);
    const auto day = count_day(known, now);
    if (day.count.wait.count() > 0) return day;
    return {"codes", pause, pauses_.count(phone_key, pause, now)};
}

Headroom CodeLimiter::count_day(std::span<const Bound> bounds, Instant now) {
    const MutexLock lock(mutex_);
    if (counts_.empty() || now - day_began_ >= kDay) {
        counts_.clear();
        day_began_ = now;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(day_began_ + kDay - now);
    for (const auto& [key, most] : bounds) {
        const auto at = counts_.find(key);
        const bool full = at == counts_.end() ? counts_.size() >= kMostCounted : at->second >= most;
        if (full) return {"codes", shown(most), {.wait = left, .left = 0, .full_in = left}};
    }
    for (const auto& bound : bounds) ++counts_[bound.key];
    return {};
}

std::uint64_t CodeLimiter::key_of(Kind kind, std::string_view who) const {
    std::array<unsigned char, 80> text{};
    text[0] = static_cast<unsigned char>(kind);
    const auto end = std::ranges::copy(who.substr(0, text.size() - 1), text.begin() + 1).out;
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(),
                     static_cast<unsigned long long>(end - text.begin()), hash_key_.data());
    return key;
}

}  // namespace sluice::gate
