#include "app/sale_editor.hpp"

#include <boost/json/serialize.hpp>

#include "app/json_view.hpp"

namespace sluice {

SaleEditor::SaleEditor(CatalogLedger& ledger, Catalog& catalog, const Clock& clock, IdSource& ids)
    : ledger_(ledger), catalog_(catalog), clock_(clock), ids_(ids) {}

Outcome<Sale> SaleEditor::draft(ItemId item_id, const SaleDraft& wish) const {
    if (catalog_.sales() >= Catalog::kMaxSales ||
        catalog_.sales_of(item_id) >= Catalog::kMaxSalesPerItem)
        return refuse(Reason::conflict, Detail::too_many_sales);
    const auto item = catalog_.item(item_id);
    if (!item) return refuse({{"item_id", "there is no such item"}});
    const auto now = clock_.now();
    return create_sale(wish, *item, SaleId{ids_.next(now)}, now);
}

Task<Outcome<Created>> SaleEditor::create(Sale sale, Actor actor, std::optional<Receipt> receipt) {
    auto deed = make_deed(actor, DeedId{ids_.next(sale.created_at)}, sale.created_at, "sale.create",
                          sale.id.text(), "", boost::json::serialize(to_json(sale)));
    auto created = co_await ledger_.add_sale(sale, std::move(deed), std::move(receipt));
    if (created && !created->first_answer) catalog_.put(sale);
    co_return created;
}

Task<Outcome<SaleId>> SaleEditor::edit(SaleId id, SaleDraft wish, Actor actor) {
    Change decide = [wish = std::move(wish)](const Sale& sale, Timestamp now) {
        return edit_sale(sale, wish, now);
    };
    return change(id, "sale.edit", std::move(decide), std::move(actor));
}

Task<Outcome<SaleId>> SaleEditor::pause(SaleId id, Actor actor) {
    return change(id, "sale.pause", pause_sale, std::move(actor));
}

Task<Outcome<SaleId>> SaleEditor::resume(SaleId id, Actor actor) {
    return change(id, "sale.resume", resume_sale, std::move(actor));
}

Task<Outcome<SaleId>> SaleEditor::end(SaleId id, Actor actor) {
    return change(id, "sale.end", end_sale, std::move(actor));
}

/// The ledger takes the change only if nobody else changed the sale since it was read here.
Task<Outcome<SaleId>> SaleEditor::change(SaleId id, std::string action, Change decide,
                                         Actor actor) {
    const auto before = catalog_.sale(id);
    if (!before) co_return refuse(Reason::not_found);
    const auto now = clock_.now();
    const auto after = decide(before->sale, now);
    if (!after) co_return std::unexpected(after.error());
    if (after->version == before->sale.version) co_return id;  // nothing to do
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, std::move(action), id.text(),
                          boost::json::serialize(to_json(before->sale)),
                          boost::json::serialize(to_json(*after)));
    auto done = co_await ledger_.update_sale(*after, std::move(deed));
    if (!done) co_return std::unexpected(done.error());
    catalog_.put(*after);
    co_return id;
}

}  // namespace sluice
