#pragma once

#include <chrono>
#include <string>

#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/poster.hpp"
#include "ports/sandbox_ledger.hpp"

namespace sluice::sandbox {

/// Delivers the provider's letters to the shop's webhook, signed, over HTTP. A letter that is not
/// answered with 2xx is sent again, each time after a longer pause, and is given up in the end.
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

    /// Delivers what is due; returns how long to wait until the next letter is due. May throw
    /// Outage.
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
