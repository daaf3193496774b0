#include "main/clock_watch.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace sluice {
namespace {

/// Between two notes of the time. A restart goes on from the last one: nothing is lost in between,
/// since the offset is the same.
constexpr int kLooksBetweenNotes = 25;

double seconds(ShopTime::Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string in_words(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", seconds);
    return text;
}

}  // namespace

ClockWatch::ClockWatch(ShopClock& clock, std::function<bool()> is_relied_on, Log& log)
    : clock_(clock), is_relied_on_(std::move(is_relied_on)), log_(log) {
    const auto status = clock_.status();
    log_.info("clock.started", {{"goes_on_from_a_note", !status.unproven},
                                {"system_clock_ahead_seconds", seconds(status.difference)}});
    if (status.behind_record > ShopTime::Duration{})
        log_.warn("clock.behind_the_record", {{"seconds", seconds(status.behind_record)}});
}

Task<> ClockWatch::look() {
    if (is_relied_on_()) clock_.rely();
    const auto event = clock_.watch();
    tell(event);
    if (event != ShopTime::Event::none || looks_++ % kLooksBetweenNotes == 0) note();
    co_return;
}

std::string ClockWatch::detail() const {
    const auto status = clock_.status();
    const auto ahead = seconds(status.difference);
    const auto differs = "the system clock is " + in_words(std::abs(ahead)) +
                         (ahead > 0 ? " ahead of" : " behind") + " the shop's";
    switch (status.state) {
        case ShopTime::State::suspected:
            return differs + "; it is not followed unless that lasts";
        case ShopTime::State::following:
            return differs +
                   "; it is followed gradually, or at once by a restart with --trust-clock";
        case ShopTime::State::agrees:
            break;
    }
    if (status.behind_record > ShopTime::Duration{})
        return "the time is " + in_words(seconds(status.behind_record)) +
               " before the last one on record";
    return {};
}

void ClockWatch::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_clock_offset_seconds",
                      "By how much the system's clock is ahead of the shop's time.",
                      [this] { return seconds(clock_.status().difference); });
    metrics.add_counter("sluice_clock_steps_total",
                        "Steps of the system's clock that were noticed.",
                        [this] { return static_cast<double>(clock_.status().steps); });
}

void ClockWatch::tell(ShopTime::Event event) {
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
            log_.warn("clock.moved", {{"reason", "the time of the start was wrong"}});
            break;
    }
}

void ClockWatch::note() {
    const bool noted = clock_.note();
    if (!noted && can_note_)
        log_.warn("clock.not_noted", {{"reason", std::string_view(std::strerror(errno))}});
    can_note_ = noted;
}

}  // namespace sluice
