#pragma once

#include "adapters/web/web_poster.hpp"
#include "api/shop/webhooks_in.hpp"
#include "app/hear_payment.hpp"
#include "app/pay.hpp"
#include "main/keeper.hpp"
#include "main/store.hpp"
#include "observe/metrics.hpp"
#include "sandbox/sandbox_courier.hpp"
#include "sandbox/sandbox_provider.hpp"
#include "sandbox/sandbox_till.hpp"
#include "workers/refunder.hpp"

namespace sluice {

/// Payments, put together: the built-in provider, who may tell us of money, and who sends it back.
class PaymentOffice {
  public:
    /// `shop`: where the built-in provider finds our webhook. `loop`: of the keeper.
    PaymentOffice(const Config::Payments& config, Store& store, HotOutbox& outbox,
                  const Endpoint& shop, AsioLoop& loop, Log& log);

    Pay& pay() { return pay_; }
    HearPayment& hear() { return hear_; }
    sandbox::SandboxTill* till() { return provider() ? &till_ : nullptr; }

    /// The name of the provider at work; empty if there is none.
    std::string provider_name() const {
        return takes_payments_ ? std::string(sandbox_.name()) : "";
    }

    /// Heard also when no provider is at work any more: money may come for payments of before.
    std::vector<api::WebhooksIn::Sender> senders() const;

    void add_metrics(MetricsPage& metrics) const;

    /// Before anybody can pay.
    void employ(Keeper& keeper);

  private:
    PaymentProvider* provider() { return takes_payments_ ? &sandbox_ : nullptr; }

    const bool takes_payments_;
    const std::vector<std::string> outside_secrets_;
    const std::string sandbox_secret_;
    Log& log_;
    Periodic* courier_rounds_ = nullptr;
    sandbox::SandboxProvider sandbox_;
    sandbox::SandboxTill till_;
    web::WebPoster poster_;
    sandbox::SandboxCourier courier_;
    Pay pay_;
    HearPayment hear_;
    Refunder refunder_;
};

}  // namespace sluice
