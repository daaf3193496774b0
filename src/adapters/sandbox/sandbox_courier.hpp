#pragma once

#include <chrono>
#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/sandbox_ledger.hpp"

namespace sluice::sandbox {

/// Delivers the provider's letters to the shop's webhook, signed, over HTTP: again and again until
/// the shop says 2xx, each time after a longer pause, at last not any more.
class SandboxCourier {
  public:
    static constexpr std::int64_t kMostAttempts = 30;
    static constexpr std::chrono::seconds kLongestPause{60};

    SandboxCourier(SandboxLedger& ledger, const Clock& clock, Log& log,
                   boost::asio::ip::tcp::endpoint shop, std::string secret)
        : ledger_(ledger), clock_(clock), log_(log), shop_(shop), secret_(std::move(secret)) {}

    /// Delivers what is due; how long until there is more. May throw Outage.
    Task<std::chrono::milliseconds> deliver_due();

  private:
    Task<> deliver(SandboxLedger::Letter letter);
    Task<unsigned> post(std::string body);

    SandboxLedger& ledger_;
    const Clock& clock_;
    Log& log_;
    const boost::asio::ip::tcp::endpoint shop_;
    const std::string secret_;
};

}  // namespace sluice::sandbox
