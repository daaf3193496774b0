#pragma once

#include <cstdint>

#include "adapters/rabbitmq/options.hpp"

namespace sluice {

/// Messages that wait in the queues of tickets and of parked tickets, as reported by the first host
/// that answers. Messages that a writer has taken and not acknowledged are not counted. Throws
/// Outage.
std::int64_t count_messages(const rabbitmq::Options& options);

}  // namespace sluice
