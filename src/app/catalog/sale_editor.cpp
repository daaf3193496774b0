#include "app/catalog/sale_editor.hpp"

#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"
#include "base/check.hpp"

namespace sluice {

SaleEditor::SaleEditor(CatalogLedger& ledger, Catalog& catalog, WarmSale warm, TellTerms tell_terms,
                       HotOutbox& outbox, const Clock& clock, IdSource& ids,
                       std::optional<Detail> closed)
    : ledger_(ledger),
      catalog_(catalog),
      warm_(std::move(warm)),
      tell_terms_(std::move(tell_terms)),
      outbox_(outbox),
      clock_(clock),
      ids_(ids),
      closed_(closed) {}

Outcome<Sale> SaleEditor::draft(ItemId item_id, const SaleDraft& wish) const {
    if (closed_) return refuse(Reason::unavailable, *closed_);
    if (catalog_.sales() >= Catalog::kMaxSales ||
        catalog_.sales_of(item_id) >= Catalog::kMaxSalesPerItem)
        return refuse(Reason::conflict, Detail::too_many_sales);
    const auto item = catalog_.item(item_id);
    if (!item) return refuse({{"item_id", sluice::Rule::no_such_item}});
    const auto now = clock_.now();
    return create_sale(wish, *item, SaleId{ids_.next(now)}, now);
}

Task<Outcome<Created>> SaleEditor::create(Sale sale, Actor actor, std::optional<Receipt> receipt) {
    CHECK(!closed_, "a sale that is drafted may open");
    auto deed = make_deed(actor, DeedId{ids_.next(sale.created_at)}, sale.created_at, "sale.create",
                          sale.id.text(), "", boost::json::serialize(to_json(sale)));
    auto created = co_await ledger_.add_sale(sale, std::move(deed), std::move(receipt));
    if (!created || created->first_answer) co_return created;
    // The hot copy is filled before the sale is shown, so that nobody finds it closed.
    co_await warm_(sale.id);
    co_await tell_terms_(sale);
    catalog_.put(sale);
    co_return created;
}

Task<Outcome<SaleId>> SaleEditor::edit(SaleId id, SaleDraft wish, Actor actor) {
    Rule rule = [wish = std::move(wish)](const Sale& sale, Timestamp now) {
        return edit_sale(sale, wish, now);
    };
    return change(id, decide_by(std::move(rule), "sale.edit", std::move(actor)));
}

Task<Outcome<SaleId>> SaleEditor::pause(SaleId id, Actor actor) {
    return change(id, decide_by(pause_sale, "sale.pause", std::move(actor)));
}

Task<Outcome<SaleId>> SaleEditor::resume(SaleId id, Actor actor) {
    return change(id, decide_by(resume_sale, "sale.resume", std::move(actor)));
}

Task<Outcome<SaleId>> SaleEditor::end(SaleId id, Actor actor) {
    return change(id, decide_by(end_sale, "sale.end", std::move(actor)));
}

Task<Outcome<SaleId>> SaleEditor::restock(SaleId id, std::int64_t delta, Actor actor,
                                          std::optional<Receipt> receipt) {
    Rule rule = [delta](const Sale& sale, Timestamp now) { return restock_sale(sale, delta, now); };
    return change(id, decide_by(std::move(rule), "sale.restock", std::move(actor)),
                  std::move(receipt));
}

/// Runs on the ledger's thread: clock and ids may be used from any thread.
CatalogLedger::DecideSale SaleEditor::decide_by(Rule rule, std::string action, Actor actor) const {
    using Decision = Outcome<std::optional<CatalogLedger::SaleChange>>;
    return [this, rule = std::move(rule), action = std::move(action),
            actor = std::move(actor)](const Sale& before) -> Decision {
        const auto now = clock_.now();
        const auto after = rule(before, now);
        if (!after) return std::unexpected(after.error());
        if (after->version == before.version) return std::nullopt;
        auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, action, before.id.text(),
                              boost::json::serialize(to_json(before)),
                              boost::json::serialize(to_json(*after)));
        return CatalogLedger::SaleChange{*after, std::move(deed)};
    };
}

Task<Outcome<SaleId>> SaleEditor::change(SaleId id, CatalogLedger::DecideSale decide,
                                         std::optional<Receipt> receipt) {
    const auto changed = co_await ledger_.change_sale(id, std::move(decide), std::move(receipt));
    if (!changed) co_return std::unexpected(changed.error());
    const Sale& after = changed->after;
    if (after.version == changed->before.version) co_return id;
    // Before the caller is answered: from then on a pause counts on every node.
    co_await tell_terms_(after);
    if (after.stock.total != changed->before.stock.total) co_await outbox_.catch_up(id);
    catalog_.put(after);
    co_return id;
}

}  // namespace sluice
