#include "app/orders/order_export.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {
namespace {

std::string describe(const OrderList::Wanted& wanted) {
    boost::json::object json;
    if (wanted.sale) json["sale_id"] = wanted.sale->text();
    if (wanted.state) json["state"] = to_string(*wanted.state);
    if (wanted.buyer) json["buyer"] = wanted.buyer->text();
    if (wanted.buyers) {
        auto& buyers = json["buyers"].emplace_array();
        for (const auto buyer : *wanted.buyers) buyers.emplace_back(buyer.text());
    }
    if (wanted.money) json["money"] = to_string(*wanted.money);
    if (wanted.delivery) json["delivery"] = to_string(*wanted.delivery);
    if (wanted.from) json["created_from"] = to_rfc3339(*wanted.from);
    if (wanted.until) json["created_to"] = to_rfc3339(*wanted.until);
    return boost::json::serialize(json);
}

}  // namespace

OrderExport::Walk::Walk(OrderExport& owner, OrderList::Wanted wanted)
    : owner_(owner), wanted_(std::move(wanted)) {
    ++owner_.under_way_;
    wanted_.limit = kPage;
}

OrderExport::Walk::~Walk() {
    --owner_.under_way_;
}

Task<std::vector<OrderList::Row>> OrderExport::Walk::next() {
    auto rows = co_await owner_.list_.list(wanted_);
    if (!rows.empty()) wanted_.before = rows.back().order.id;
    co_return rows;
}

Task<std::unique_ptr<OrderExport::Walk>> OrderExport::begin(OrderList::Wanted wanted, Actor actor) {
    auto walk = std::make_unique<Walk>(*this, wanted);
    if (under_way_ > kAtOnce) co_return nullptr;
    const auto now = clock_.now();
    auto deed =
        make_deed(actor, DeedId{ids_.next(now)}, now, "orders.export",
                  wanted.sale ? wanted.sale->text() : std::string("all"), "", describe(wanted));
    co_await trail_.add(std::move(deed));
    co_return walk;
}

}  // namespace sluice
