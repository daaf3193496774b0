#include "assembly/money.hpp"

#include "base/encoding.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The names of providers in charges. `outside` is whoever signs with payments.webhook_secrets.
constexpr auto kSandbox = "sandbox";
constexpr auto kOutside = "outside";

web::WebPoster::Options only_to(const Endpoint& endpoint) {
    return {.allowed = {Network::parse(endpoint.host).value()},
            .authorities = {},
            .patience = std::chrono::seconds{5},
            .resolvers = 1};
}

}  // namespace

Money::Money(const Parts& parts)
    : is_on_duty_(parts.is_on_duty),
      is_first_edge_(parts.is_first_edge),
      takes_payments_(parts.config.payments.provider == PaymentProviderName::sandbox),
      outside_secrets_(parts.config.payments.webhook_secrets),
      sandbox_secret_(to_hex(parts.sandbox_key)),
      log_(parts.log),
      courier_rounds_(
          "sandbox_courier", 1s, [this] { return deliver_due(); }, parts.log),
      bill_names_(parts.sandbox_key),
      sandbox_(parts.sandbox, bill_names_, parts.random, parts.clock, parts.ids,
               [this] { courier_rounds_.wake(); }),
      till_(parts.sandbox, bill_names_, parts.clock, parts.ids, [this] { courier_rounds_.wake(); }),
      poster_(only_to(parts.shop), parts.loop),
      courier_(parts.sandbox, poster_, parts.clock, parts.log,
               "http://" + parts.shop.text() + "/api/v1/webhooks/payments/sandbox",
               sandbox_secret_),
      pay_(parts.payments, provider(), parts.clock, parts.ids),
      hear_(parts.payments, parts.outbox, parts.clock, parts.ids, parts.log),
      refunder_(parts.payments, provider(), parts.clock, parts.log),
      payments_(pay_, parts.receipts, parts.config.public_url),
      forgeries_(parts.limit_scope, parts.limit_key),
      webhooks_in_(hear_, senders(), std::chrono::seconds{parts.config.payments.tolerance_seconds},
                   parts.clock, wall_clock_, forgeries_, parts.log),
      sandbox_page_(takes_payments_ ? &till_ : nullptr) {}

Task<std::chrono::milliseconds> Money::deliver_due() {
    if (!is_first_edge_()) co_return 1s;
    const auto pause = co_await courier_.deliver_due();
    co_return pause;
}

/// A provider sends a refund once, however often it is asked. One node asks, to save the second
/// request.
Task<> Money::refund_due() {
    if (is_on_duty_()) co_await refunder_.refund_due();
}

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
    // An outside provider may also use the address of the sandbox if payments were begun there.
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

void Money::employ(Keeper& keeper, const Roles& roles) {
    if (takes_payments_)
        log_.warn("payments.sandbox", {{"reason", "orders are paid without money"}});
    // The courier posts to the webhook of its own node, and only an edge answers that.
    if (roles.edge) keeper.employ(courier_rounds_);
    if (roles.keeper) keeper.employ("refunder", 1s, [this] { return refund_due(); });
}

}  // namespace sluice
