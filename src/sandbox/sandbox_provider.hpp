#pragma once

#include <functional>

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/payment_provider.hpp"
#include "ports/random.hpp"
#include "ports/sandbox_ledger.hpp"
#include "sandbox/bill_names.hpp"

namespace sluice::sandbox {

/// The built-in provider. It takes no money, and tells the shop over HTTP what was chosen on its
/// pay page. For the shop it is like any other provider, with its own records.
class SandboxProvider final : public PaymentProvider {
  public:
    /// `on_letters`: called when there is a letter to deliver.
    SandboxProvider(SandboxLedger& ledger, const BillNames& names, Random& random,
                    const Clock& clock, IdSource& ids, std::function<void()> on_letters)
        : ledger_(ledger),
          names_(names),
          random_(random),
          clock_(clock),
          ids_(ids),
          on_letters_(std::move(on_letters)) {}

    std::string_view name() const override { return "sandbox"; }
    Task<Bill> start(Payment payment) override;
    Task<Done> refund(RefundWish wish) override;

  private:
    SandboxLedger& ledger_;
    const BillNames& names_;
    Random& random_;
    const Clock& clock_;
    IdSource& ids_;
    const std::function<void()> on_letters_;
};

}  // namespace sluice::sandbox
