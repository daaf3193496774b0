#pragma once

#include <optional>
#include <string_view>

#include "app/catalog/catalog.hpp"
#include "app/purchase/admission.hpp"
#include "app/purchase/purchase.hpp"
#include "domain/caller.hpp"
#include "domain/pass.hpp"
#include "domain/ticket.hpp"
#include "ports/clock.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What a buyer asks for.
struct Wish {
    SaleId sale;
    std::string_view pass;
    std::string_view key;  // the Idempotency-Key; empty when there is none
    std::int64_t quantity = 1;
};

/// The first step of a purchase, which refuses nearly everybody. It checks in this order: is the
/// pass genuine, may the wish be an earlier one repeated, is the sale open, does it have to give
/// way, is the quantity within the limit, is there a hot copy, is anything left, does the ledger
/// keep up. It does not wait, calls no other process, and allocates nothing for a refusal.
class Turnstile {
  public:
    Turnstile(const Catalog& catalog, const StockGate& gate, const Passes& passes,
              const TicketMarks& marks, Admission& admission, const OrderIntake& intake,
              const Clock& clock)
        : catalog_(catalog),
          gate_(gate),
          passes_(passes),
          marks_(marks),
          admission_(admission),
          intake_(intake),
          clock_(clock) {}

    Outcome<Purchase::Attempt> consider(const Wish& wish, const Caller& buyer) const;

    /// In how many seconds a ticket that is queued now will be decided, as far as is known.
    std::int64_t wait_seconds() const { return admission_.wait_seconds(intake_.backlog()); }

  private:
    std::optional<Refusal> refusal_for(const Wish& wish, const Pass& pass,
                                       const DisplayedSale& displayed,
                                       const StockGate::Glance& glance, Timestamp now) const;

    const Catalog& catalog_;
    const StockGate& gate_;
    const Passes& passes_;
    const TicketMarks& marks_;
    Admission& admission_;
    const OrderIntake& intake_;
    const Clock& clock_;
};

}  // namespace sluice
