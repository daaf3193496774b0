#pragma once

#include <string>

#include "app/catalog/catalog.hpp"
#include "base/shop_time.hpp"
#include "ports/entry_desk.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// Finds out who would notice it if the shop's time were set; see Stakes and docs/limits.md.
class ShopStakes {
  public:
    struct Ledgers {
        OrderLedger& orders;
        PaymentLedger& payments;
        WebhookLedger& webhooks;
    };
    /// `provider`: who sends refunds back; empty if nobody does.
    ShopStakes(const EntryDesk& desk, const OrderIntake& intake, const Catalog& catalog,
               Ledgers ledgers, std::string provider)
        : desk_(desk),
          intake_(intake),
          catalog_(catalog),
          ledgers_(ledgers),
          provider_(std::move(provider)) {}

    /// What is at stake if the time were set from one of these to the other. May throw Outage.
    Task<Stakes> between(Timestamp one, Timestamp other);

  private:
    Task<bool> has_refunds_or_deliveries();
    bool has_open_attempts() const;
    bool is_open_sale_between(Timestamp first, Timestamp last) const;

    const EntryDesk& desk_;
    const OrderIntake& intake_;
    const Catalog& catalog_;
    const Ledgers ledgers_;
    const std::string provider_;
};

}  // namespace sluice
