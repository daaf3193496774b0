#pragma once

#include "http/exchange.hpp"

namespace sluice::gate {

/// Whether the node is so far behind that this request is better told to come back: its event loop
/// is late by that much, so everybody waits at least as long for an answer. Up to half a second of
/// that nobody is turned away; from two seconds on every shopper is; between
/// them a share that grows with it, so that the loop settles where it keeps up instead of falling
/// from one extreme into the other. `chance` is any number that the caller cannot foresee.
bool is_overloaded(std::chrono::milliseconds lag, RateClass rate, std::uint64_t chance);

/// The same for a request; true when the exchange holds the answer.
bool refused_for_overload(http::Exchange& exchange);

}  // namespace sluice::gate
