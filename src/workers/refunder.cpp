#include "workers/refunder.hpp"

#include "base/backoff.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr std::size_t kPerRound = 100;

constexpr Backoff kPauses{Refunder::kFirstPause, Refunder::kLongestPause};

}  // namespace

Task<> Refunder::refund_due() {
    const std::string provider(provider_ ? provider_->name() : "");
    auto refunds = co_await ledger_.owed_refunds(provider, clock_.now(), kPerRound);
    keep_counts(refunds.owed);
    log_foreign_refunds(refunds.owed);
    if (!provider_) co_return;
    for (auto& refund : refunds.due) {
        const auto id = refund.charge.id;
        const auto pause = kPauses.after(refund.attempts);
        const bool taken = co_await ask_provider(std::move(refund));
        if (taken) {
            co_await ledger_.note_refunded(id, clock_.now());
            --refunds.owed[provider];
        } else {
            co_await ledger_.put_off_refund(id, clock_.now() + pause);
        }
    }
    keep_counts(std::move(refunds.owed));
}

std::size_t Refunder::owed(const std::string& provider) const {
    const MutexLock lock(mutex_);
    const auto found = owed_.find(provider);
    return found == owed_.end() ? 0 : found->second;
}

void Refunder::keep_counts(Counts owed) {
    const MutexLock lock(mutex_);
    owed_ = std::move(owed);
}

/// Logged once for each new refund, not in every round.
void Refunder::log_foreign_refunds(const Counts& owed) {
    for (const auto& [provider, count] : owed) {
        if (provider_ && provider == provider_->name()) continue;
        if (count > told_[provider])
            log_.warn("refunds.nobody_sends", {{"provider", provider},
                                               {"owed", count},
                                               {"reason",
                                                "the provider that took the money is not "
                                                "at work here"}});
    }
    told_ = owed;
}

Task<bool> Refunder::ask_provider(PaymentLedger::OwedRefund refund) {
    const auto id = refund.charge.id;
    PaymentProvider::RefundWish wish;
    wish.payment = refund.payment;
    wish.charge = std::move(refund.charge);
    try {
        co_await provider_->refund(std::move(wish));
        co_return true;
    } catch (const std::exception& failure) {
        log_.warn("refund.put_off", {{"refund", id.text()},
                                     {"attempts", refund.attempts + 1},
                                     {"reason", std::string_view(failure.what())}});
    }
    co_return false;
}

}  // namespace sluice
