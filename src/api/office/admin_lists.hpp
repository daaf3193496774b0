#pragma once

#include "app/catalog/buyer_list_editor.hpp"
#include "app/catalog/catalog.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The lists of the buyers for whom sales are meant: uploaded, extended, shown, downloaded and
/// cleared by operators.
class AdminLists {
  public:
    AdminLists(BuyerListEditor& editor, const Catalog& catalog)
        : editor_(editor), catalog_(catalog) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending replace(http::Exchange& exchange);
    http::Pending extend(http::Exchange& exchange);
    http::Pending clear(http::Exchange& exchange);
    http::Pending download(http::Exchange& exchange);

  private:
    http::Pending upload(http::Exchange& exchange, BuyerListEditor::How how);
    Task<> look_up(http::Exchange& exchange, SaleId sale);
    Task<> show_after(http::Exchange& exchange, SaleId sale,
                      Task<Outcome<BuyerListEditor::Changed>> change);
    Task<> begin_download(http::Exchange& exchange, SaleId sale);

    BuyerListEditor& editor_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
