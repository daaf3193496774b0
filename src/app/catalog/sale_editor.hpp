#pragma once

#include "app/catalog/catalog.hpp"
#include "app/office/actor.hpp"
#include "app/purchase/hot_outbox.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// What operators do to sales: create, edit, pause, resume, end, restock.
class SaleEditor {
  public:
    /// Fills the hot copy of a sale that was just made, in its first epoch.
    using WarmSale = std::function<Task<>(SaleId)>;
    /// Tells the hot copy the terms of a sale that was made or changed.
    using TellTerms = std::function<Task<>(Sale)>;

    /// `closed`: why no sale may open. Then none is created either, since a new sale opens at once.
    SaleEditor(CatalogLedger& ledger, Catalog& catalog, WarmSale warm, TellTerms tell_terms,
               HotOutbox& outbox, const Clock& clock, IdSource& ids,
               std::optional<Detail> closed = std::nullopt);

    /// The sale that create() would make. Nothing is stored yet, so that the answer can be stored
    /// together with the sale.
    Outcome<Sale> draft(ItemId item, const SaleDraft& wish) const;
    Task<Outcome<Created>> create(Sale sale, Actor actor, std::optional<Receipt> receipt);

    Task<Outcome<SaleId>> edit(SaleId id, SaleDraft wish, Actor actor);
    Task<Outcome<SaleId>> pause(SaleId id, Actor actor);
    Task<Outcome<SaleId>> resume(SaleId id, Actor actor);
    Task<Outcome<SaleId>> end(SaleId id, Actor actor);
    Task<Outcome<SaleId>> restock(SaleId id, std::int64_t delta, Actor actor,
                                  std::optional<Receipt> receipt);

  private:
    using Rule = std::function<Outcome<Sale>(const Sale&, Timestamp)>;
    CatalogLedger::DecideSale decide_by(Rule rule, std::string action, Actor actor) const;
    Task<Outcome<SaleId>> change(SaleId id, CatalogLedger::DecideSale decide,
                                 std::optional<Receipt> receipt = {});

    CatalogLedger& ledger_;
    Catalog& catalog_;
    const WarmSale warm_;
    const TellTerms tell_terms_;
    HotOutbox& outbox_;
    const Clock& clock_;
    IdSource& ids_;
    const std::optional<Detail> closed_;
};

}  // namespace sluice
