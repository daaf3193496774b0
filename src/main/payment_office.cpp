#include "main/payment_office.hpp"

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

PaymentOffice::PaymentOffice(const Config::Payments& config, Store& store, HotOutbox& outbox,
                             const Endpoint& shop, AsioLoop& loop, Log& log)
    : takes_payments_(config.provider == PaymentProviderName::sandbox),
      outside_secrets_(config.webhook_secrets),
      sandbox_secret_(to_hex(store.keys.sandbox)),
      log_(log),
      sandbox_(store.ledger.sandbox(), store.random, store.clock, store.ids,
               [this] { courier_rounds_->wake(); }),
      till_(store.ledger.sandbox(), store.clock, store.ids, [this] { courier_rounds_->wake(); }),
      poster_(only_to(shop), loop),
      courier_(store.ledger.sandbox(), poster_, store.clock, log,
               "http://" + shop.text() + "/api/v1/webhooks/payments/sandbox", sandbox_secret_),
      pay_(store.ledger.payments(), provider(), store.clock, store.ids),
      hear_(store.ledger.payments(), outbox, store.clock, store.ids, log),
      refunder_(store.ledger.payments(), provider(), store.clock, log) {}

std::vector<api::WebhooksIn::Sender> PaymentOffice::senders() const {
    std::vector<api::WebhooksIn::Sender> senders{{kSandbox, kSandbox, {sandbox_secret_}}};
    if (outside_secrets_.empty()) return senders;
    // A provider outside may also use the address of the sandbox, where the payments were begun.
    for (const auto* address : {kSandbox, kOutside})
        senders.push_back({address, kOutside, outside_secrets_});
    return senders;
}

void PaymentOffice::add_metrics(MetricsPage& metrics) const {
    for (const std::string name : {kSandbox, kOutside})
        metrics.add_gauge("sluice_refunds_owed",
                          "Refunds not carried out yet, by the provider with the money.",
                          [this, name] { return static_cast<double>(refunder_.owed(name)); },
                          {{"provider", name}});
}

void PaymentOffice::employ(Keeper& keeper) {
    if (takes_payments_)
        log_.warn("payments.sandbox", {{"reason", "orders are paid without money"}});
    courier_rounds_ =
        &keeper.employ("sandbox_courier", 1s, [this] { return courier_.deliver_due(); });
    keeper.employ("refunder", 1s, [this] { return refunder_.refund_due(); });
}

}  // namespace sluice
