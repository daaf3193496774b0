#include "gate/overload.hpp"

namespace sluice::gate {
namespace {

constexpr std::chrono::milliseconds kTolerated{500};
constexpr std::chrono::milliseconds kHopeless{2'000};

}  // namespace

bool is_overloaded(std::chrono::milliseconds lag, RateClass rate, std::uint64_t chance) {
    if (lag <= kTolerated || !is_for_shoppers(rate)) return false;
    const auto share = static_cast<std::uint64_t>((kHopeless - kTolerated).count());
    return static_cast<std::uint64_t>((lag - kTolerated).count()) > chance % share;
}

bool refused_for_overload(http::Exchange& exchange) {
    // The nanosecond at which a request arrives is random enough.
    const auto chance = static_cast<std::uint64_t>(exchange.began.time_since_epoch().count());
    if (!is_overloaded(exchange.lag, exchange.route->rate, chance)) return false;
    http::write_retry_after(exchange.response, 1);
    exchange.refuse(http::Code::busy);
    return true;
}

}  // namespace sluice::gate
