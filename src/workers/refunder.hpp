#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/mutex.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/payment_provider.hpp"

namespace sluice {

/// Sends back money that the ledger owes and that our provider took. The provider is asked at least
/// once, each time with the same id, for which it refunds once; after a crash between its answer
/// and our note it is asked again. Money that another provider took stays owed until that provider
/// reports that it has sent it back, or an operator does.
class Refunder {
  public:
    static constexpr std::chrono::seconds kFirstPause{1};
    static constexpr std::chrono::hours kLongestPause{1};

    /// Without a provider it only counts and reports what is owed.
    Refunder(PaymentLedger& ledger, PaymentProvider* provider, const Clock& clock, Log& log)
        : ledger_(ledger), provider_(provider), clock_(clock), log_(log) {}

    /// One round. May throw Outage when the ledger is away. A refund that the provider does not
    /// accept is put off, each time for longer, and never given up, since it is somebody's money.
    Task<> refund_due();

    /// Refunds of money that this provider took and that are not carried out yet, as of the last
    /// round. From any thread.
    std::size_t owed(const std::string& provider) const;

  private:
    using Counts = std::map<std::string, std::size_t>;

    void log_foreign_refunds(const Counts& owed);
    void keep_counts(Counts owed);
    Task<bool> ask_provider(PaymentLedger::OwedRefund refund);

    PaymentLedger& ledger_;
    PaymentProvider* const provider_;
    const Clock& clock_;
    Log& log_;
    Counts told_;  // of money that nobody here sends back

    mutable Mutex mutex_;
    Counts owed_ GUARDED_BY(mutex_);
};

}  // namespace sluice
