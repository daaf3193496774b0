#pragma once

#include "api/idempotency.hpp"
#include "app/catalog/sale_editor.hpp"

namespace sluice::api {

class AdminSales {
  public:
    AdminSales(SaleEditor& editor, const Catalog& catalog, const Clock& clock,
               const Receipts& receipts)
        : editor_(editor), catalog_(catalog), clock_(clock), receipts_(receipts) {}

    http::Pending create(http::Exchange& exchange);
    http::Pending edit(http::Exchange& exchange);
    http::Pending pause(http::Exchange& exchange);
    http::Pending resume(http::Exchange& exchange);
    http::Pending end(http::Exchange& exchange);
    http::Pending restock(http::Exchange& exchange);

  private:
    using Steer = Task<Outcome<SaleId>> (SaleEditor::*)(SaleId, Actor);

    http::Pending steer(http::Exchange& exchange, Steer how);
    Task<> add(http::Exchange& exchange, ItemId item, SaleDraft wish,
               std::optional<Receipt> receipt);
    Task<> show_after(http::Exchange& exchange, Task<Outcome<SaleId>> change);

    SaleEditor& editor_;
    const Catalog& catalog_;
    const Clock& clock_;
    const Receipts& receipts_;
};

}  // namespace sluice::api
