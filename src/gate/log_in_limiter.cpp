#include "gate/log_in_limiter.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/outage.hpp"
#include "gate/count_exchange.hpp"

namespace sluice::gate {

LogInLimiter::LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                           SharedCounts* shared, const Bounds& bounds)
    : scope_(scope), hash_key_(hash_key), shared_(shared), bounds_(bounds), limiter_(bounds.sets) {}

Headroom LogInLimiter::count(const Try& attempt, Instant now) {
    if (!is_limited(attempt.client)) return {};
    if (attempt.device) {
        const auto own = count_one(Kind::device, bounds_.of_one, attempt, now);
        if (own.waits()) return own;
        const auto all = count_one(Kind::devices, bounds_.of_devices, attempt, now);
        if (!all.waits()) return own;
    }
    return count_stranger(attempt, now);
}

Headroom LogInLimiter::count_stranger(const Try& attempt, Instant now) {
    const auto nearest = count_one(Kind::household, bounds_.of_one, attempt, now);
    if (nearest.waits()) return nearest;
    if (!attempt.client.is_v4()) {
        const auto site = count_one(Kind::site, bounds_.of_site, attempt, now);
        if (site.waits()) return site;
    }
    const auto strangers = count_one(Kind::strangers, bounds_.of_strangers, attempt, now);
    return strangers.waits() ? strangers : nearest;
}

// These are not coroutines: what a Try refers to may be gone when a coroutine resumes.
Task<Headroom> LogInLimiter::confirm(const Try& attempt) const {
    std::vector<Asked> own;
    std::vector<Asked> of_strangers;
    if (shared_ && is_limited(attempt.client)) {
        if (attempt.device)
            own = {ask(Kind::device, bounds_.of_one, attempt),
                   ask(Kind::devices, bounds_.of_devices, attempt)};
        of_strangers.push_back(ask(Kind::household, bounds_.of_one, attempt));
        if (!attempt.client.is_v4())
            of_strangers.push_back(ask(Kind::site, bounds_.of_site, attempt));
        of_strangers.push_back(ask(Kind::strangers, bounds_.of_strangers, attempt));
    }
    return confirm_all(std::move(own), std::move(of_strangers));
}

Task<Done> LogInLimiter::forgive(const Try& attempt) {
    forgive_here(attempt);
    std::vector<SharedCounts::Entry> entries;
    const auto add = [&](Kind kind, const Quota& quota, SharedCounts::Entry::Mode mode) {
        const auto asked = ask(kind, quota, attempt);
        const bool is_anew = mode == SharedCounts::Entry::Mode::anew;
        entries.push_back({.key = asked.key,
                           .interval = std::chrono::microseconds(asked.quota.interval),
                           .burst = asked.quota.burst,
                           .times = is_anew ? 0 : -1,
                           .mode = mode});
    };
    using Mode = SharedCounts::Entry::Mode;
    if (shared_ && is_limited(attempt.client)) {
        if (attempt.device) {
            add(Kind::device, bounds_.of_one, Mode::anew);
            add(Kind::devices, bounds_.of_devices, Mode::add);
        } else {
            add(Kind::household, bounds_.of_one, Mode::anew);
            add(Kind::site, bounds_.of_site, Mode::anew);
            add(Kind::strangers, bounds_.of_strangers, Mode::add);
        }
    }
    return tell(std::move(entries));
}

/// Asks the shared counts, in the order in which count() and count_stranger() count.
Task<Headroom> LogInLimiter::confirm_all(std::vector<Asked> own,
                                         std::vector<Asked> of_strangers) const {
    for (const auto& asked : own) {
        const auto headroom = co_await confirm_one(asked);
        if (!headroom.waits()) continue;
        if (asked.kind == Kind::device) co_return headroom;
        own.clear();
        break;
    }
    if (!own.empty()) co_return Headroom{};
    for (const auto& asked : of_strangers) {
        const auto headroom = co_await confirm_one(asked);
        if (headroom.waits()) co_return headroom;
    }
    co_return Headroom{};
}

Task<Headroom> LogInLimiter::confirm_one(Asked asked) const {
    std::vector<SharedCounts::Entry> one{
        {.key = asked.key,
         .interval = std::chrono::microseconds(asked.quota.interval),
         .burst = asked.quota.burst,
         .times = 1,
         .mode = SharedCounts::Entry::Mode::strict}};
    std::chrono::microseconds used{0};
    try {
        const auto all = co_await shared_->add(std::move(one));
        used = all.front();
    } catch (const Outage&) {
        co_return Headroom{};
    } catch (const Overload&) {
        co_return Headroom{};
    }
    const auto window = std::chrono::microseconds(asked.quota.window());
    if (used <= window) co_return Headroom{};
    const RateLimiter::Count count{.wait = used - window, .left = 0, .full_in = used};
    co_return Headroom{bounds_.policy, asked.quota, count};
}

Task<Done> LogInLimiter::tell(std::vector<SharedCounts::Entry> entries) {
    if (entries.empty()) co_return Done{};
    try {
        co_await shared_->add(std::move(entries));
    } catch (const Outage&) {
        // It stays counted, and becomes available again with time.
    } catch (const Overload&) {
    }
    co_return Done{};
}

LogInLimiter::Asked LogInLimiter::ask(Kind kind, const Quota& quota, const Try& attempt) const {
    return {kind, quota, shared_key(key_of(kind, attempt), 'l')};
}

void LogInLimiter::forgive_here(const Try& attempt) {
    if (!is_limited(attempt.client)) return;
    if (attempt.device) {
        limiter_.forget(key_of(Kind::device, attempt));
        limiter_.give_back(key_of(Kind::devices, attempt), bounds_.of_devices);
        return;
    }
    limiter_.forget(key_of(Kind::household, attempt));
    limiter_.forget(key_of(Kind::site, attempt));
    limiter_.give_back(key_of(Kind::strangers, attempt), bounds_.of_strangers);
}

Headroom LogInLimiter::count_one(Kind kind, const Quota& quota, const Try& attempt, Instant now) {
    return {bounds_.policy, quota, limiter_.count(key_of(kind, attempt), quota, now)};
}

bool LogInLimiter::is_limited(const Address& client) const {
    return scope_.enabled() && !(bounds_.exempts && scope_.exempts(client));
}

std::uint64_t LogInLimiter::key_of(Kind kind, const Try& attempt) const {
    // The part before the name has a fixed length for each kind, and the name has a bounded length,
    // so no two tries have the same text.
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
