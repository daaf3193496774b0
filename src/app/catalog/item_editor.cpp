#include "app/catalog/item_editor.hpp"

#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"

namespace sluice {

ItemEditor::ItemEditor(CatalogLedger& ledger, Catalog& catalog, const Clock& clock, IdSource& ids)
    : ledger_(ledger), catalog_(catalog), clock_(clock), ids_(ids) {}

Outcome<Item> ItemEditor::draft(const ItemDraft& wish) const {
    if (catalog_.items() >= Catalog::kMaxItems)
        return refuse(Reason::conflict, Detail::too_many_items);
    const auto now = clock_.now();
    return create_item(wish, ItemId{ids_.next(now)}, now);
}

Task<Outcome<Created>> ItemEditor::create(Item item, Actor actor, std::optional<Receipt> receipt) {
    auto deed = make_deed(actor, DeedId{ids_.next(item.created_at)}, item.created_at, "item.create",
                          item.id.text(), "", boost::json::serialize(to_json(item)));
    auto created = co_await ledger_.add_item(item, std::move(deed), std::move(receipt));
    if (created && !created->first_answer) catalog_.put(item);
    co_return created;
}

Task<Outcome<Item>> ItemEditor::edit(ItemId id, ItemDraft wish, Actor actor) {
    Rule rule = [wish = std::move(wish), has_sales = catalog_.sales_of(id) > 0](const Item& item) {
        return edit_item(item, wish, has_sales);
    };
    return change(id, std::move(rule), "item.edit", std::move(actor));
}

Task<Outcome<Item>> ItemEditor::archive(ItemId id, Actor actor) {
    return change(id, archive_item, "item.archive", std::move(actor));
}

Task<Outcome<Item>> ItemEditor::restore(ItemId id, Actor actor) {
    return change(id, restore_item, "item.restore", std::move(actor));
}

Task<Outcome<Item>> ItemEditor::change(ItemId id, Rule rule, std::string action, Actor actor) {
    const auto before = catalog_.item(id);
    if (!before) co_return refuse(Reason::not_found);
    auto after = rule(*before);
    if (!after || after->version == before->version) co_return after;
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, action, id.text(),
                          boost::json::serialize(to_json(*before)),
                          boost::json::serialize(to_json(*after)));
    auto done = co_await ledger_.update_item(*after, std::move(deed));
    if (!done) co_return std::unexpected(done.error());
    catalog_.put(*after);
    co_return after;
}

}  // namespace sluice
