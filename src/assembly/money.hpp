#pragma once

#include "adapters/system/system_clock.hpp"
#include "adapters/web/web_poster.hpp"
#include "api/shop/payments.hpp"
#include "api/shop/webhooks_in.hpp"
#include "app/orders/hear_payment.hpp"
#include "app/orders/pay.hpp"
#include "app/purchase/hot_outbox.hpp"
#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "gate/signature_limiter.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/random.hpp"
#include "ports/sandbox_ledger.hpp"
#include "sandbox/bill_names.hpp"
#include "sandbox/sandbox_courier.hpp"
#include "sandbox/sandbox_page.hpp"
#include "sandbox/sandbox_provider.hpp"
#include "sandbox/sandbox_till.hpp"
#include "workers/refunder.hpp"

namespace sluice {

/// Payments: the built-in provider, the webhook for providers, and what sends money back.
class Money {
  public:
    struct Parts {
        const Config& config;
        PaymentLedger& payments;
        SandboxLedger& sandbox;
        HotOutbox& outbox;
        const api::Receipts& receipts;
        const std::array<unsigned char, 32>& sandbox_key;
        const LimitScope& limit_scope;
        const std::array<unsigned char, 16>& limit_key;
        Endpoint shop;                        // where the built-in provider finds our webhook
        std::function<bool()> is_on_duty;     // whether this node sends back money now
        std::function<bool()> is_first_edge;  // whether this node sends the provider's letters now
        AsioLoop& loop;                       // of the keeper
        const Clock& clock;
        Random& random;
        IdSource& ids;
        Log& log;
    };
    explicit Money(const Parts& parts);

    void bind(const Bind& bind);
    /// Employs the workers that the node's roles need.
    void employ(Keeper& keeper, const Roles& roles);
    void add_metrics(MetricsPage& metrics) const;

    /// The name of the active provider; empty if there is none.
    std::string provider_name() const {
        return takes_payments_ ? std::string(sandbox_.name()) : "";
    }

  private:
    PaymentProvider* provider() { return takes_payments_ ? &sandbox_ : nullptr; }
    /// Open also when no provider is active any more: money may come for earlier payments.
    std::vector<api::WebhooksIn::Sender> senders() const;
    Task<std::chrono::milliseconds> deliver_due();
    Task<> refund_due();

    const std::function<bool()> is_on_duty_, is_first_edge_;
    const bool takes_payments_;
    const std::vector<std::string> outside_secrets_;
    const std::string sandbox_secret_;
    Log& log_;
    Periodic courier_rounds_;
    const sandbox::BillNames bill_names_;
    sandbox::SandboxProvider sandbox_;
    sandbox::SandboxTill till_;
    web::WebPoster poster_;
    sandbox::SandboxCourier courier_;
    Pay pay_;
    HearPayment hear_;
    Refunder refunder_;
    const SystemClock wall_clock_;
    api::Payments payments_;
    gate::SignatureLimiter forgeries_;
    api::WebhooksIn webhooks_in_;
    sandbox::SandboxPage sandbox_page_;
};

}  // namespace sluice
