#pragma once

#include <chrono>
#include <string>

#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/poster.hpp"
#include "ports/sandbox_ledger.hpp"

namespace sluice::sandbox {

/// Delivers the provider's letters to the shop's webhook, signed, over HTTP: again and again until
/// the shop says 2xx, each time after a longer pause, at last not any more.
class SandboxCourier {
  public:
    static constexpr std::int64_t kMostAttempts = 30;
    static constexpr std::chrono::seconds kLongestPause{60};

    /// `webhook`: the URL where the shop hears of payments.
    SandboxCourier(SandboxLedger& ledger, Poster& poster, const Clock& clock, Log& log,
                   std::string webhook, std::string secret)
        : ledger_(ledger),
          poster_(poster),
          clock_(clock),
          log_(log),
          webhook_(std::move(webhook)),
          secret_(std::move(secret)) {}

    /// Delivers what is due; how long until there is more. May throw Outage.
    Task<std::chrono::milliseconds> deliver_due();

  private:
    Task<> deliver(SandboxLedger::Letter letter);

    SandboxLedger& ledger_;
    Poster& poster_;
    const Clock& clock_;
    Log& log_;
    const std::string webhook_;
    const std::string secret_;
};

}  // namespace sluice::sandbox
