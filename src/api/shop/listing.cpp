#include "api/shop/listing.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"

namespace sluice::api {
namespace {

void answer_listing(http::Exchange& exchange, const Sale& sale, bool is_listed) {
    answer(exchange, 200, {{"sale_id", sale.id.text()}, {"listed", is_listed}});
}

}  // namespace

http::Pending Listing::show(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    const auto known = listed_.peek(displayed->sale, exchange.caller->id);
    if (!known) return look_up(exchange, displayed);
    answer_listing(exchange, displayed->sale, *known);
    return std::nullopt;
}

Task<> Listing::look_up(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed) {
    const bool is_listed = co_await listed_.ask(displayed->sale, exchange.caller->id);
    answer_listing(exchange, displayed->sale, is_listed);
}

}  // namespace sluice::api
