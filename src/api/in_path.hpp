#pragma once

#include <memory>
#include <optional>

#include "app/catalog/catalog.hpp"
#include "gate/id_in_path.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The id at the beginning of the path's parameters; if it is not valid the answer is 404.
template <class Id>
std::optional<Id> id_in_path(http::Exchange& exchange) {
    const auto id = gate::find_id_in_path<Id>(exchange);
    if (!id) exchange.refuse(http::Code::not_found);
    return id;
}

/// The sale of that id. nullptr when the catalog has none, and the answer is 404.
inline std::shared_ptr<const DisplayedSale> sale_in_path(http::Exchange& exchange,
                                                         const Catalog& catalog) {
    const auto id = gate::find_id_in_path<SaleId>(exchange);
    auto sale = id ? catalog.sale(*id) : nullptr;
    if (!sale) exchange.refuse(http::Code::not_found);
    return sale;
}

}  // namespace sluice::api
