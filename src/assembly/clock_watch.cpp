#include "assembly/clock_watch.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace sluice {
namespace {

/// How often the time is noted. A restart goes on from the last note: nothing is lost in between,
/// since the offset is the same.
constexpr int kLooksBetweenNotes = 25;

double seconds(ShopTime::Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string with_tenths(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", seconds);
    return text;
}

}  // namespace

ClockWatch::ClockWatch(ShopClock& clock, Shop shop, Log& log)
    : clock_(clock), shop_(std::move(shop)), log_(log) {
    const auto status = clock_.status();
    log_.info("clock.started", {{"goes_on_from_a_note", status.continues},
                                {"system_clock_ahead_seconds", seconds(status.difference)}});
    if (status.behind_record > ShopTime::Duration{})
        log_.warn("clock.behind_the_record", {{"seconds", seconds(status.behind_record)}});
}

Task<> ClockWatch::look() {
    const auto stakes = co_await ask_for_stakes();
    const auto difference = clock_.status().difference;
    const auto event = clock_.watch(stakes);
    tell(event, difference);
    const bool relied_on = clock_.status().relied_on;
    const bool is_news = event != ShopTime::Event::none || relied_on != was_relied_on_;
    was_relied_on_ = relied_on;
    if (is_news || looks_++ % kLooksBetweenNotes == 0) note();
}

/// Looked up only when they matter, since the ledger is asked. Somebody who begins to rely on the
/// time meanwhile may be overlooked.
Task<Stakes> ClockWatch::ask_for_stakes() {
    const auto status = clock_.status();
    if (shop_.is_relied_on()) clock_.rely();
    if (!status.in_doubt || status.state == ShopTime::State::agrees) co_return Stakes{};
    Stakes stakes;
    try {
        const auto now = clock_.now();
        const auto difference = std::chrono::ceil<std::chrono::milliseconds>(status.difference);
        stakes = co_await shop_.stakes(now, now + difference);
        can_ask_ = true;
    } catch (const std::exception& failure) {
        if (std::exchange(can_ask_, false))
            log_.warn("clock.stakes_unknown", {{"reason", std::string_view(failure.what())}});
    }
    if (shop_.is_relied_on()) clock_.rely();
    const bool is_first_reliance = !status.relied_on && clock_.status().relied_on;
    co_return is_first_reliance ? Stakes{} : stakes;
}

std::vector<Notice> ClockWatch::complaints() const {
    const auto status = clock_.status();
    const bool ahead = status.difference > ShopTime::Duration{};
    const auto by = with_tenths(std::abs(seconds(status.difference)));
    switch (status.state) {
        case ShopTime::State::suspected:
            return {{ahead ? NoticeRule::clock_ahead_suspected : NoticeRule::clock_behind_suspected,
                     by}};
        case ShopTime::State::following:
            return {
                {ahead ? NoticeRule::clock_ahead_followed : NoticeRule::clock_behind_followed, by}};
        case ShopTime::State::agrees:
            break;
    }
    if (status.behind_record <= ShopTime::Duration{}) return {};
    return {{NoticeRule::clock_before_record, with_tenths(seconds(status.behind_record))}};
}

void ClockWatch::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_clock_offset_seconds",
                      "By how much the system's clock is ahead of the shop's time.",
                      [this] { return seconds(clock_.status().difference); });
    metrics.add_counter("sluice_clock_steps_total",
                        "Steps of the system's clock that were noticed.",
                        [this] { return static_cast<double>(clock_.status().steps); });
}

void ClockWatch::tell(ShopTime::Event event, ShopTime::Duration difference) {
    const Field ahead{"system_clock_ahead_seconds", seconds(clock_.status().difference)};
    switch (event) {
        case ShopTime::Event::none:
            break;
        case ShopTime::Event::suspected:
            log_.warn("clock.step_suspected", {ahead});
            break;
        case ShopTime::Event::following:
            log_.warn("clock.following", {ahead});
            break;
        case ShopTime::Event::agrees:
            log_.info("clock.agrees", {ahead});
            break;
        case ShopTime::Event::moved:
            log_.warn("clock.moved", {{"by_seconds", seconds(difference)},
                                      {"reason", "the time of the start was wrong"}});
            break;
    }
}

/// If nobody relies on the time and it is not proven yet, it does not replace a record that is
/// better: the next start would believe it.
void ClockWatch::note() {
    const auto status = clock_.status();
    const bool tells_more = status.behind_record > ShopTime::Duration{} || shop_.has_found_holds;
    if (!status.relied_on && status.unproven && tells_more) return;
    const bool noted = clock_.note();
    if (!noted && can_note_)
        log_.warn("clock.not_noted", {{"reason", std::string_view(std::strerror(errno))}});
    can_note_ = noted;
}

}  // namespace sluice
