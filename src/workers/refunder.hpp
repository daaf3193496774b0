#pragma once

#include <atomic>
#include <chrono>

#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/payment_provider.hpp"

namespace sluice {

/// Sends back what the ledger owes. The provider is asked at least once, each time with the same
/// id, under which it refunds once; a crash between its yes and our note of it asks again.
class Refunder {
  public:
    static constexpr std::chrono::seconds kFirstPause{1};
    static constexpr std::chrono::hours kLongestPause{1};

    /// Without a provider it only counts what is owed, and says so.
    Refunder(PaymentLedger& ledger, PaymentProvider* provider, const Clock& clock, Log& log)
        : ledger_(ledger), provider_(provider), clock_(clock), log_(log) {}

    /// One round. May throw Outage when the ledger is away. A refund that the provider does not
    /// take is put off, each time for longer, and never given up: it is somebody's money.
    Task<> refund_due();

    /// Refunds that are not carried out yet, as of the last round.
    std::size_t owed() const { return owed_; }

  private:
    Task<bool> ask_provider(PaymentLedger::OwedRefund refund);

    PaymentLedger& ledger_;
    PaymentProvider* const provider_;
    const Clock& clock_;
    Log& log_;
    std::atomic<std::size_t> owed_ = 0;
    bool told_ = false;  // that nobody sends back what is owed
};

}  // namespace sluice
