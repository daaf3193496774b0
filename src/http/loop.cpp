#include "http/loop.hpp"

#include <ctime>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/reason_of.hpp"

namespace sluice::http {
namespace {

constexpr auto kTick = std::chrono::milliseconds{250};

void write_date(std::array<char, 29>& out) {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[30];
    // The C locale's names are those that HTTP requires, and the program sets no other locale.
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    std::copy_n(text, out.size(), out.begin());
}

}  // namespace

Loop::Loop(unsigned index, const Site& site, std::uint64_t seed)
    : index_(index),
      site_(site),
      busy_(context_.get_executor()),
      ticker_(context_),
      request_ids_(seed),
      now_(std::chrono::steady_clock::now()) {
    write_date(date_);
}

void Loop::run(std::function<void(AsioLoop&)> on_end) {
    on_end_ = std::move(on_end);
    start_ticking();
    context_.run();
}

void Loop::adopt(Socket socket, Address peer, Surfaces surfaces, const Answering& answering,
                 Places& places, std::shared_ptr<Seat> seat) {
    boost::asio::post(context_, [this, socket = std::move(socket), peer, surfaces, &answering,
                                 &places, seat = std::move(seat)]() mutable {
        const auto at = mine_.emplace(mine_.end(), std::move(socket), peer, surfaces, answering,
                                      *this, places, *seat);
        seat->connection = &*at;
        boost::asio::co_spawn(
            context_, at->run(), [this, at, &places, seat](std::exception_ptr failure) {
                if (failure)
                    site_.log.error("http.connection_failed", {{"reason", reason_of(failure)}});
                seat->connection = nullptr;
                mine_.erase(at);
                places.leave(*seat);
                end_if_empty();
            });
    });
}

void Loop::ask_to_close(std::shared_ptr<Seat> seat) {
    boost::asio::post(context_, [seat = std::move(seat)] {
        if (!seat->connection) return;
        if (seat->may_be_closed(std::chrono::steady_clock::now()))
            seat->connection->close();
        else if (seat->has_to_leave())
            seat->connection->leave_soon();
        else
            seat->stay();
    });
}

void Loop::drain(std::chrono::seconds within) {
    boost::asio::post(context_, [this, within] {
        draining_ = true;
        drain_deadline_ = std::chrono::steady_clock::now() + within;
        end_if_empty();
    });
}

void Loop::cut_off() {
    boost::asio::post(context_, [this] {
        for (auto& connection : mine_) connection.close();
    });
}

void Loop::record(const Exchange& exchange, std::chrono::nanoseconds took) {
    // Requests without a route are counted in the last row.
    const auto row = exchange.route_index == kNoRoute ? site_.unrouted : exchange.route_index;
    site_.metrics.record(index_, row, exchange.response.status, took);
    if (const auto& problem = exchange.response.problem)
        site_.refusals.record(index_, row, static_cast<std::size_t>(*problem));
    if (!site_.log.enabled(Log::Level::debug)) return;
    // The path is left out: it may contain a pass.
    site_.log.debug("http.request",
                    {{"route", exchange.route ? exchange.route->name : std::string_view("none")},
                     {"method", to_string(exchange.request.method)},
                     {"status", exchange.response.status},
                     {"micros", took.count() / 1000},
                     {"client", exchange.client.text()},
                     {"request_id", exchange.context.request_id},
                     {"trace", exchange.trace}});
}

void Loop::record_refusal(Code code) {
    site_.refusals.record(index_, site_.unrouted, static_cast<std::size_t>(code));
}

void Loop::report_broken(const Exchange& exchange, std::string_view reason) {
    site_.log.warn("http.answer_broken_off",
                   {{"route", exchange.route ? exchange.route->name : std::string_view("none")},
                    {"reason", reason},
                    {"request_id", exchange.context.request_id},
                    {"trace", exchange.trace}});
}

void Loop::start_ticking() {
    ticker_.expires_after(kTick);
    ticker_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        tick();
        // end_if_empty() cannot cancel a tick that was already on its way.
        if (!(draining_ && mine_.empty())) start_ticking();
    });
}

void Loop::tick() {
    now_ = std::chrono::steady_clock::now();
    lag_.note(now_ - ticker_.expiry());
    write_date(date_);
    const bool late = draining_ && now_ >= drain_deadline_;
    for (auto& connection : mine_) {
        connection.tick(now_, draining_);
        if (late) connection.close();
    }
}

void Loop::end_if_empty() {
    if (!draining_ || !mine_.empty()) return;
    ticker_.cancel();
    if (const auto on_end = std::exchange(on_end_, nullptr)) on_end(executor_);
    busy_.reset();
}

}  // namespace sluice::http
