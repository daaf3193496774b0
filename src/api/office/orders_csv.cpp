#include "api/office/orders_csv.hpp"

#include "api/answers.hpp"
#include "base/csv.hpp"

namespace sluice::api {
namespace {

/// After so many seconds another export may have ended.
constexpr int kRetryAfter = 10;

void append_head(std::string& out) {
    append_csv_row(out, {"order_id",     "state",         "sale_id",         "item_id",
                         "item",         "buyer_id",      "phone",           "name",
                         "quantity",     "price_cents",   "total_cents",     "currency",
                         "created_at",   "expires_at",    "paid_at",         "ticket",
                         "sale_name",    "delivery",      "carrier",         "tracking_number",
                         "contact_name", "contact_phone", "contact_address", "contact_note"});
}

void append_row(std::string& out, const OrderList::Row& row, const Contact& contact,
                const Catalog& catalog) {
    const auto& order = row.order;
    const auto item = catalog.item(order.item_id);
    const auto sale = catalog.sale(order.sale_id);
    append_csv_row(out, {order.id.text(),
                         to_string(order.state),
                         order.sale_id.text(),
                         order.item_id.text(),
                         item ? std::string_view(item->title) : std::string_view(),
                         order.buyer.text(),
                         row.buyer_phone,
                         row.buyer_name,
                         std::to_string(order.quantity),
                         std::to_string(order.price_cents),
                         std::to_string(order.total_cents()),
                         order.currency,
                         to_rfc3339(order.created_at),
                         to_rfc3339(order.expires_at),
                         order.paid_at ? to_rfc3339(*order.paid_at) : std::string(),
                         order.ticket.text(),
                         sale ? std::string_view(sale->sale.name) : std::string_view(),
                         to_string(row.delivery.state),
                         row.delivery.carrier,
                         row.delivery.number,
                         contact.name,
                         contact.phone,
                         contact.address,
                         contact.note});
}

class Pages {
  public:
    Pages(std::unique_ptr<OrderExport::Walk> walk, ContactLedger& contacts, const Catalog& catalog)
        : walk_(std::move(walk)), ledger_(contacts), catalog_(catalog) {}

    /// Called before the answer begins, while an outage can still be answered with a problem. Later
    /// an outage can only end the answer early.
    Task<> read_first() { co_await read(); }

    Task<bool> next(std::string& out) {
        if (headed_)
            co_await read();
        else
            append_head(out);
        headed_ = true;
        for (const auto& row : rows_) append_row(out, row, contacts_[row.order.id], catalog_);
        co_return rows_.size() == OrderExport::kPage;
    }

  private:
    Task<> read() {
        rows_ = co_await walk_->next();
        std::vector<OrderId> orders;
        for (const auto& row : rows_) orders.push_back(row.order.id);
        contacts_ = co_await ledger_.of_orders(std::move(orders));
    }

    std::unique_ptr<OrderExport::Walk> walk_;
    ContactLedger& ledger_;
    const Catalog& catalog_;
    std::vector<OrderList::Row> rows_;
    std::map<OrderId, Contact> contacts_;
    bool headed_ = false;
};

void describe(http::Exchange& exchange, const OrderList::Wanted& wanted) {
    const auto sale = wanted.sale ? "-" + wanted.sale->text() : std::string();
    exchange.response.content_type = "text/csv; charset=utf-8; header=present";
    exchange.response.add_header("Content-Disposition",
                                 "attachment; filename=\"orders" + sale + ".csv\"");
}

}  // namespace

http::Pending OrdersCsv::download(http::Exchange& exchange) {
    auto wish = order_wish(exchange);
    if (!wish) return std::nullopt;
    if (exchange.request.method != http::Method::head) return begin(exchange, std::move(*wish));
    describe(exchange, wish->orders);
    exchange.response.send_in_pieces({});
    return std::nullopt;
}

Task<> OrdersCsv::begin(http::Exchange& exchange, OrderWish wish) {
    auto actor = actor_of(exchange);
    const auto wanted = co_await buyers_.narrow(std::move(wish.orders), std::move(wish.whose));
    if (!wanted) {
        answer(exchange, wanted.error());
        co_return;
    }
    auto walk = co_await export_.begin(*wanted, std::move(actor));
    if (!walk) {
        http::write_retry_after(exchange.response, kRetryAfter);
        answer(exchange, http::Code::busy, Remark::too_many_exports);
        co_return;
    }
    auto pages = std::make_unique<Pages>(std::move(walk), contacts_, catalog_);
    co_await pages->read_first();
    describe(exchange, *wanted);
    exchange.response.send_in_pieces(
        [pages = std::move(pages)](std::string& out) { return pages->next(out); });
}

}  // namespace sluice::api
