#pragma once

#include <functional>

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/payment_provider.hpp"
#include "ports/random.hpp"
#include "ports/sandbox_ledger.hpp"
#include "sandbox/bill_names.hpp"

namespace sluice::sandbox {

/// The built-in provider: it takes no money, and tells the shop over HTTP what its pay page was
/// told to tell. It is to the shop what any provider is, with books of its own.
class SandboxProvider final : public PaymentProvider {
  public:
    /// `on_letters`: there is something to deliver.
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
