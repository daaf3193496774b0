#include "gate/code_limiter.hpp"

#include <algorithm>
#include <string>

#include <sodium.h>

#include "base/outage.hpp"

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

constexpr auto kDay = DayLimiter::kDay;
constexpr std::string_view kPolicy = "codes";

std::string_view as_text(const Network& network) {
    return {reinterpret_cast<const char*>(network.base.bytes.data()), network.base.bytes.size()};
}

std::string_view as_text(const CodeBearer& bearer) {
    return {reinterpret_cast<const char*>(&bearer.name), sizeof bearer.name};
}

/// As the headers show it: the burst is the limit of a day.
Quota shown(std::uint32_t most) {
    const auto interval = kDay.count() / most;
    return {.interval = static_cast<std::uint32_t>(std::min<std::int64_t>(interval, UINT32_MAX)),
            .burst = most};
}

}  // namespace

CodeLimiter::Verdict CodeLimiter::count(const Ask& ask, Instant now) {
    // Counted for everybody, whether a message would be sent or not, so that the answer reveals
    // nothing. The day's messages are money and no rate: they are bounded without limits too.
    const auto all = look_all(now);
    if (all.waits()) return {all};
    if (!scope_.enabled()) return {};
    return ask.bearer.is_device ? count_device(ask, now) : count_stranger(ask, now);
}

CodeLimiter::Verdict CodeLimiter::count_stranger(const Ask& ask, Instant now) {
    const auto household = household_of(ask.client);
    const auto site = site_of(ask.client);
    const std::string where(1, static_cast<char>(ask.purpose));
    const auto pause = Quota::of(kPause);
    const auto own_pause =
        key_of(Kind::pause_of_bearer, where + std::string(as_text(site)), ask.phone);
    const Headroom own{kPolicy, pause, pauses_.look(own_pause, pause, now)};
    if (own.waits()) return {own};

    const auto phone_pause = key_of(Kind::pause_of_phone, where, ask.phone);
    if (pauses_.look(phone_pause, pause, now).wait.count() > 0)
        return {{kPolicy, pause, pauses_.count(own_pause, pause, now)}, true};

    const auto phone = key_of(Kind::phone, "", ask.phone);
    const Headroom of_phone{kPolicy, kOfPhone, pauses_.look(phone, kOfPhone, now)};
    if (of_phone.waits()) return {of_phone};
    if (!scope_.exempts(ask.client)) {
        const std::array bounds{
            Bound{key_of(Kind::network_to_phone, as_text(site), ask.phone), kOfNetworkToPhone},
            Bound{key_of(Kind::household, where + std::string(as_text(household)), ""),
                  kOfHousehold},
            Bound{key_of(Kind::site, where + std::string(as_text(site)), ""), kOfSite}};
        const auto day = count_day(bounds, now);
        if (day.waits()) return {day};
    }
    pauses_.count(phone, kOfPhone, now);
    pauses_.count(phone_pause, pause, now);
    return {{kPolicy, pause, pauses_.count(own_pause, pause, now)}};
}

CodeLimiter::Verdict CodeLimiter::count_device(const Ask& ask, Instant now) {
    const std::string what(1, static_cast<char>(ask.purpose));
    const auto pause = Quota::of(kPause);
    const auto own_pause =
        key_of(Kind::pause_of_bearer, what + std::string(as_text(ask.bearer)), ask.phone);
    const Headroom own{kPolicy, pause, pauses_.look(own_pause, pause, now)};
    if (own.waits()) return {own};
    const std::array bounds{
        Bound{key_of(Kind::device, as_text(ask.bearer), ask.phone), kOfDevice},
        Bound{key_of(Kind::devices_of_phone, "", ask.phone), kOfDevicesOfPhone}};
    const auto day = count_day(bounds, now);
    // The share of known devices is used up: they may still use that of strangers.
    if (day.waits()) return count_stranger(ask, now);
    return {{kPolicy, pause, pauses_.count(own_pause, pause, now)}};
}

void CodeLimiter::note_sent(Instant now) {
    const MutexLock lock(mutex_);
    begin_day(now);
    ++sent_;
    note_unreported({key_of(Kind::all, "", ""), per_day_}, 1);
}

Headroom CodeLimiter::look_all(Instant now) {
    const MutexLock lock(mutex_);
    const auto left = begin_day(now);
    if (sent_ < per_day_) return {};
    return {kPolicy, shown(per_day_), {.wait = left, .left = 0, .full_in = left}};
}

Headroom CodeLimiter::count_day(std::span<const Bound> bounds, Instant now) {
    const MutexLock lock(mutex_);
    for (const auto& bound : bounds)
        if (const auto wait = days_.wait(bound, now); wait.count() > 0)
            return {kPolicy, shown(bound.per_day), {.wait = wait, .left = 0, .full_in = kDay}};
    for (const auto& bound : bounds) {
        days_.count(bound, now);
        note_unreported(bound, 1);
    }
    return {};
}

void CodeLimiter::note_unreported(const Bound& bound, std::int32_t times) {
    if (!is_shared_ || bound.per_day == 0 || unreported_.size() >= kMostCounted) return;
    auto& untold = unreported_[bound.key];
    untold.most = bound.per_day;
    untold.times += times;
}

Task<> CodeLimiter::exchange(SharedCounts& shared, Instant now) {
    AllUnreported untold;
    {
        const MutexLock lock(mutex_);
        untold.swap(unreported_);
    }
    // The total of all messages is read from the other nodes even if this node has nothing to
    // report.
    if (per_day_ > 0) untold[key_of(Kind::all, "", "")].most = per_day_;
    if (untold.empty()) co_return;
    std::vector<SharedCounts::Entry> entries;
    for (const auto& [key, each] : untold)
        entries.push_back({.key = shared_key(key, 'd'),
                           .interval = std::chrono::microseconds(kDay) / each.most,
                           .burst = each.most,
                           .times = each.times,
                           .mode = SharedCounts::Entry::Mode::add});
    std::vector<std::chrono::microseconds> used;
    try {
        used = co_await shared.add(entries);
    } catch (const Outage&) {
        used.clear();
    } catch (const Overload&) {
        used.clear();
    }
    const MutexLock lock(mutex_);
    std::size_t i = 0;
    for (const auto& [key, each] : untold) {
        if (used.empty())
            note_unreported({key, each.most}, each.times);
        else
            hear({key, each.most}, used[i], now);
        ++i;
    }
}

void CodeLimiter::hear(const Bound& bound, std::chrono::microseconds used, Instant now) {
    if (bound.key != key_of(Kind::all, "", "")) {
        days_.correct(bound.key, used, now);
        return;
    }
    const auto counted =
        (used + bound.interval() - std::chrono::microseconds(1)) / bound.interval();
    sent_ = std::max(sent_, static_cast<std::uint32_t>(counted));
}

/// How much of the day is left.
std::chrono::microseconds CodeLimiter::begin_day(Instant now) {
    const bool is_over = now - day_began_ >= kDay;
    if (is_over || sent_ == 0) {
        sent_ = 0;
        day_began_ = now;
    }
    return std::chrono::duration_cast<std::chrono::microseconds>(day_began_ + kDay - now);
}

std::uint64_t CodeLimiter::key_of(Kind kind, std::string_view who, std::string_view phone) const {
    // The length of `who` is included, so that no two keys have the same text.
    std::array<unsigned char, 80> text{};
    auto end = text.begin();
    *end++ = static_cast<unsigned char>(kind);
    *end++ = static_cast<unsigned char>(who.size());
    end = std::ranges::copy(who.substr(0, 24), end).out;
    const auto room = static_cast<std::size_t>(text.end() - end);
    end = std::ranges::copy(phone.substr(0, room), end).out;
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(),
                     static_cast<unsigned long long>(end - text.begin()), hash_key_.data());
    return key;
}

}  // namespace sluice::gate
