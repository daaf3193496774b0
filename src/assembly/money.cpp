#include "assembly/money.hpp"

#include "base/encoding.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Providers as charges name them. Outside is whoever signs with payments.webhook_secrets.
constexpr auto kSandbox = "sandbox";
constexpr auto kOutside = "outside";

web::WebPoster::Options only_to(const Endpoint& endpoint) {
    return {.allowed = {Network::parse(endpoint.host).value()},
            .authorities = {},
            .patience = std::chrono::seconds{5},
            .resolvers = 1};
}

}  // namespace

Money::Money(const Foundation& base, HotOutbox& outbox, const api::Receipts& receipts,
             const Endpoint& shop, AsioLoop& loop)
    : takes_payments_(base.config.payments.provider == PaymentProviderName::sandbox),
      outside_secrets_(base.config.payments.webhook_secrets),
      sandbox_secret_(to_hex(base.keys.sandbox)),
      log_(base.log),
      courier_rounds_(
          "sandbox_courier", 1s, [this] { return courier_.deliver_due(); }, base.log),
      bill_names_(base.keys.sandbox),
      sandbox_(base.ledgers.sandbox(), bill_names_, base.random, base.clock, base.ids,
               [this] { courier_rounds_.wake(); }),
      till_(base.ledgers.sandbox(), bill_names_, base.clock, base.ids,
            [this] { courier_rounds_.wake(); }),
      poster_(only_to(shop), loop),
      courier_(base.ledgers.sandbox(), poster_, base.clock, base.log,
               "http://" + shop.text() + "/api/v1/webhooks/payments/sandbox", sandbox_secret_),
      pay_(base.ledgers.payments(), provider(), base.clock, base.ids),
      hear_(base.ledgers.payments(), outbox, base.clock, base.ids, base.log),
      refunder_(base.ledgers.payments(), provider(), base.clock, base.log),
      payments_(pay_, receipts, base.config.public_url),
      forgeries_(base.limit_scope, base.keys.limits),
      webhooks_in_(hear_, senders(), std::chrono::seconds{base.config.payments.tolerance_seconds},
                   base.clock, wall_clock_, forgeries_, base.log),
      sandbox_page_(takes_payments_ ? &till_ : nullptr) {}

void Money::bind(const Bind& bind) {
    bind("begin_payment", to(payments_, &api::Payments::begin));
    bind("receive_payment_event", to(webhooks_in_, &api::WebhooksIn::receive));
    bind("show_sandbox_page", to(sandbox_page_, &sandbox::SandboxPage::show_page));
    bind("show_sandbox_file", to(sandbox_page_, &sandbox::SandboxPage::show_file));
    bind("show_sandbox_bill", to(sandbox_page_, &sandbox::SandboxPage::show_bill));
    bind("press_sandbox_button", to(sandbox_page_, &sandbox::SandboxPage::press));
}

std::vector<api::WebhooksIn::Sender> Money::senders() const {
    std::vector<api::WebhooksIn::Sender> senders{{kSandbox, kSandbox, {sandbox_secret_}}};
    if (outside_secrets_.empty()) return senders;
    // A provider outside may also use the address of the sandbox, where the payments were begun.
    for (const auto* address : {kSandbox, kOutside})
        senders.push_back({address, kOutside, outside_secrets_});
    return senders;
}

void Money::add_metrics(MetricsPage& metrics) const {
    for (const std::string name : {kSandbox, kOutside})
        metrics.add_gauge("sluice_refunds_owed",
                          "Refunds not carried out yet, by the provider with the money.",
                          [this, name] { return static_cast<double>(refunder_.owed(name)); },
                          {{"provider", name}});
}

void Money::employ(Keeper& keeper) {
    if (takes_payments_)
        log_.warn("payments.sandbox", {{"reason", "orders are paid without money"}});
    keeper.employ(courier_rounds_);
    keeper.employ("refunder", 1s, [this] { return refunder_.refund_due(); });
}

}  // namespace sluice
