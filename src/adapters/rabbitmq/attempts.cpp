#include "adapters/rabbitmq/attempts.hpp"

#include <sodium.h>

#include "base/backoff.hpp"

namespace sluice::rabbitmq {
namespace {

constexpr Backoff kBackoff{.first = std::chrono::milliseconds{50},
                           .longest = std::chrono::milliseconds{2'000}};
constexpr std::uint32_t kParts = 1'000;

}  // namespace

Attempts::Attempts(const Options& options)
    : options_(options),
      at_(randombytes_uniform(static_cast<std::uint32_t>(options.hosts.size()))) {}

const Options::Host& Attempts::next() {
    const auto& host = options_.hosts[at_];
    at_ = (at_ + 1) % options_.hosts.size();
    return host;
}

std::chrono::milliseconds Attempts::pause() {
    return kBackoff.after(failures_++, static_cast<double>(randombytes_uniform(kParts)) / kParts);
}

}  // namespace sluice::rabbitmq
