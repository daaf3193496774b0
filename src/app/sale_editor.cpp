#include "app/sale_editor.hpp"

#include <boost/json/serialize.hpp>

#include "app/json_view.hpp"

namespace sluice {

SaleEditor::SaleEditor(CatalogLedger& ledger, Catalog& catalog, StockGate& gate, const Clock& clock,
                       IdSource& ids)
    : ledger_(ledger), catalog_(catalog), gate_(gate), clock_(clock), ids_(ids) {}

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
    if (!created || created->first_answer) co_return created;
    // Warm before it can be seen, so that nobody finds it closed.
    StockGate::Copy copy{
        .sale = sale.id, .epoch = sale.epoch, .left = sale.stock.left, .holdings = {}};
    co_await gate_.warm(std::move(copy));
    catalog_.put(sale);
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
    Sale present = before->sale;
    present.stock = before->stock->now();
    const auto after = decide(present, now);
    if (!after) co_return std::unexpected(after.error());
    if (after->version == present.version) co_return id;  // nothing to do
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, std::move(action), id.text(),
                          boost::json::serialize(to_json(present)),
                          boost::json::serialize(to_json(*after)));
    const auto written = co_await ledger_.update_sale(*after, std::move(deed));
    if (!written) co_return std::unexpected(written.error());
    const auto delta = after->stock.total - present.stock.total;
    if (delta != 0) {
        const std::vector<StockGate::Move> moves{{.sale = id,
                                                  .epoch = written->epoch,
                                                  .delta_left = delta,
                                                  .buyer = {},
                                                  .delta_units = 0}};
        co_await gate_.apply(moves);
    }
    catalog_.put(*written);
    co_return id;
}

}  // namespace sluice
