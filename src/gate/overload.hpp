#pragma once

#include "http/exchange.hpp"

namespace sluice::gate {

/// Whether the node is so far behind that this request should be told to come back later. The event
/// loop is late by `lag`, so every answer waits at least that long. Up to half a second nobody is
/// turned away; from two seconds on every shopper is; in between a growing share is, so that the
/// load settles instead of switching between two extremes. `chance` is any number that the caller
/// cannot foresee.
bool is_overloaded(std::chrono::milliseconds lag, RateClass rate, std::uint64_t chance);

/// The same for a request; true when the exchange holds the answer.
bool refused_for_overload(http::Exchange& exchange);

}  // namespace sluice::gate
