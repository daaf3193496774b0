#pragma once

#include "api/idempotency.hpp"
#include "api/office/admin_items.hpp"
#include "api/office/admin_sales.hpp"
#include "api/shop/share_page.hpp"
#include "api/shop/shop_window.hpp"
#include "app/catalog/item_editor.hpp"
#include "app/catalog/sale_editor.hpp"
#include "assembly/binding.hpp"
#include "base/id_source.hpp"
#include "ports/catalog_ledger.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// What there is to buy: items and sales, shown to everybody and edited by operators.
class ShopFront {
  public:
    ShopFront(CatalogLedger& ledger, Catalog& catalog, SaleEditor& sales,
              const api::Receipts& receipts, const Clock& clock, IdSource& ids,
              std::string public_url);

    /// `bind_changes` binds the routes by which operators change something.
    void bind(const Bind& bind, const Bind& bind_changes);

    ItemEditor item_editor;

  private:
    api::ShopWindow window_;
    api::SharePage share_page_;
    api::AdminItems admin_items_;
    api::AdminSales admin_sales_;
};

}  // namespace sluice
