#pragma once

#include "api/idempotency.hpp"
#include "app/item_editor.hpp"

namespace sluice::api {

class AdminItems {
  public:
    AdminItems(ItemEditor& editor, const Catalog& catalog, const Clock& clock,
               const Receipts& receipts)
        : editor_(editor), catalog_(catalog), clock_(clock), receipts_(receipts) {}

    http::Pending create(http::Exchange& exchange);
    http::Pending edit(http::Exchange& exchange);

  private:
    Task<> add(http::Exchange& exchange, ItemDraft wish, std::optional<Receipt> receipt);
    Task<> change(http::Exchange& exchange, ItemId id, ItemDraft wish);

    ItemEditor& editor_;
    const Catalog& catalog_;
    const Clock& clock_;
    const Receipts& receipts_;
};

}  // namespace sluice::api
