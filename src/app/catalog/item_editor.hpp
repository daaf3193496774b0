#pragma once

#include <functional>
#include <string>

#include "app/catalog/catalog.hpp"
#include "app/office/actor.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// What operators do to items.
class ItemEditor {
  public:
    ItemEditor(CatalogLedger& ledger, Catalog& catalog, const Clock& clock, IdSource& ids);

    /// The item that create() would make. Nothing is stored yet, so that the answer can be stored
    /// together with the item.
    Outcome<Item> draft(const ItemDraft& wish) const;
    Task<Outcome<Created>> create(Item item, Actor actor, std::optional<Receipt> receipt);

    Task<Outcome<Item>> edit(ItemId id, ItemDraft wish, Actor actor);
    /// Refused while the item has a sale that has not ended.
    Task<Outcome<Item>> archive(ItemId id, Actor actor);
    Task<Outcome<Item>> restore(ItemId id, Actor actor);

  private:
    using Rule = std::function<Outcome<Item>(const Item&)>;
    Task<Outcome<Item>> change(ItemId id, Rule rule, std::string action, Actor actor);

    CatalogLedger& ledger_;
    Catalog& catalog_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
