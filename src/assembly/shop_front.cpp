#include "assembly/shop_front.hpp"

namespace sluice {

ShopFront::ShopFront(CatalogLedger& ledger, Catalog& catalog, SaleEditor& sales,
                     const api::Receipts& receipts, const Clock& clock, IdSource& ids,
                     std::string public_url)
    : item_editor(ledger, catalog, clock, ids),
      window_(catalog, clock),
      share_page_(catalog, std::move(public_url)),
      admin_items_(item_editor, catalog, clock, receipts),
      admin_sales_(sales, catalog, clock, receipts) {}

void ShopFront::bind(const Bind& bind, const Bind& bind_changes) {
    bind("show_time", to(window_, &api::ShopWindow::show_time));
    bind("list_items", to(window_, &api::ShopWindow::list_items));
    bind("show_item", to(window_, &api::ShopWindow::show_item));
    bind("list_sales", to(window_, &api::ShopWindow::list_sales));
    bind("show_sale", to(window_, &api::ShopWindow::show_sale));
    bind("note_visit", to(window_, &api::ShopWindow::note_visit));
    bind("show_share_page", to(share_page_, &api::SharePage::show));
    bind_changes("create_item", to(admin_items_, &api::AdminItems::create));
    bind_changes("edit_item", to(admin_items_, &api::AdminItems::edit));
    bind_changes("archive_item", to(admin_items_, &api::AdminItems::archive));
    bind_changes("restore_item", to(admin_items_, &api::AdminItems::restore));
    bind_changes("create_sale", to(admin_sales_, &api::AdminSales::create));
    bind_changes("edit_sale", to(admin_sales_, &api::AdminSales::edit));
    bind_changes("pause_sale", to(admin_sales_, &api::AdminSales::pause));
    bind_changes("resume_sale", to(admin_sales_, &api::AdminSales::resume));
    bind_changes("end_sale", to(admin_sales_, &api::AdminSales::end));
    bind_changes("restock_sale", to(admin_sales_, &api::AdminSales::restock));
}

}  // namespace sluice
