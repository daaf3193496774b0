#pragma once

#include <string>

#include "app/catalog/catalog.hpp"
#include "http/exchange.hpp"
#include "ports/clock.hpp"

namespace sluice::api {

/// What everybody may see: the time, items and sales. All from memory, put together from text that
/// was made when the item or sale last changed.
class ShopWindow {
  public:
    ShopWindow(const Catalog& catalog, const Clock& clock) : catalog_(catalog), clock_(clock) {}

    http::Pending show_time(http::Exchange& exchange);
    http::Pending list_items(http::Exchange& exchange);
    http::Pending show_item(http::Exchange& exchange);
    http::Pending list_sales(http::Exchange& exchange);
    http::Pending show_sale(http::Exchange& exchange);
    /// A browser shows the sale for the first time today. The funnel counts it by its route.
    http::Pending note_visit(http::Exchange& exchange);

  private:
    const Catalog& catalog_;
    const Clock& clock_;
};

/// Appends the sale at `now`, with `now` in it.
void append_sale(std::string& out, const DisplayedSale& sale, Timestamp now);
/// The same with this stock instead of the present one.
void append_sale(std::string& out, const DisplayedSale& sale, const Stock& stock, Timestamp now);
void append_item(std::string& out, const DisplayedItem& item, Timestamp now);

}  // namespace sluice::api
