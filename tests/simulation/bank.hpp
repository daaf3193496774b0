#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "domain/payment.hpp"
#include "ports/payment_provider.hpp"
#include "simulation/chance.hpp"
#include "simulation/schedule.hpp"

namespace sluice::simulation {

/// The provider's own data, which survives every crash of the shop: the payments that it was told
/// of, the money that it took and sent back, and the events that it repeats until they are
/// accepted.
class Bank {
  public:
    /// Another provider, which takes money for payments of this shop too: the shop used it before,
    /// or it posts to the same webhook. This shop cannot send its money back.
    static constexpr std::string_view kElsewhere = "elsewhere";

    struct Told {
        PaymentEvent event;
        bool heard = false;
    };

    void know(const Payment& payment) { payments_.emplace(payment.id, payment); }
    bool has_payments() const { return !payments_.empty(); }

    /// Invents an event about some payment: money, a failure, sometimes another amount.
    std::size_t happen(Chance& chance);
    std::size_t some_event(Chance& chance) const { return chance.index(told_.size()); }
    std::size_t size() const { return told_.size(); }
    const PaymentEvent& event(std::size_t at) const { return told_[at].event; }
    bool was_heard(std::size_t at) const { return told_[at].heard; }
    void hear(std::size_t at) { told_[at].heard = true; }

    /// By its key, once.
    void send_back(ChargeId key, const Charge& charge) { sent_back_[charge.ref].insert(key); }

    const std::map<std::string, Charge>& taken() const { return taken_; }
    bool was_taken_elsewhere(const std::string& charge) const {
        return taken_elsewhere_.contains(charge);
    }
    /// How many different keys were used for sending this money back.
    std::size_t times_sent_back(const std::string& charge) const;

  private:
    std::map<PaymentId, Payment> payments_;
    std::vector<Told> told_;
    std::map<std::string, Charge> taken_;
    std::set<std::string> taken_elsewhere_;
    std::map<std::string, std::set<ChargeId>> sent_back_;
};

/// The bank as one process of the shop reaches it: late, and sometimes not at all or without an
/// answer.
class FarProvider final : public PaymentProvider {
  public:
    /// With `forgets_keys` each attempt to refund has a key of its own: a planted bug.
    FarProvider(Bank& bank, Schedule& schedule, bool forgets_keys)
        : bank_(bank), schedule_(schedule), forgets_keys_(forgets_keys) {}

    std::string_view name() const override { return "bank"; }
    Task<Bill> start(Payment payment) override;
    Task<Done> refund(RefundWish wish) override;

  private:
    Task<> travel(const char* what);

    Bank& bank_;
    Schedule& schedule_;
    const bool forgets_keys_;
    std::int64_t attempts_ = 0;
};

}  // namespace sluice::simulation
