#pragma once

#include "api/idempotency.hpp"
#include "app/catalog/item_editor.hpp"

namespace sluice::api {

class AdminItems {
  public:
    AdminItems(ItemEditor& editor, const Catalog& catalog, const Clock& clock,
               const Receipts& receipts)
        : editor_(editor), catalog_(catalog), clock_(clock), receipts_(receipts) {}

    http::Pending create(http::Exchange& exchange);
    http::Pending edit(http::Exchange& exchange);
    http::Pending archive(http::Exchange& exchange);
    http::Pending restore(http::Exchange& exchange);

  private:
    Task<> add(http::Exchange& exchange, ItemDraft wish, std::optional<Receipt> receipt);
    using Shelve = Task<Outcome<Item>> (ItemEditor::*)(ItemId, Actor);
    http::Pending shelve(http::Exchange& exchange, Shelve how);
    /// Nothing when there is no such item; then the exchange holds the answer.
    std::optional<ItemId> item_in_path(http::Exchange& exchange) const;
    Task<> show_after(http::Exchange& exchange, ItemId id, Task<Outcome<Item>> change);

    ItemEditor& editor_;
    const Catalog& catalog_;
    const Clock& clock_;
    const Receipts& receipts_;
};

}  // namespace sluice::api
