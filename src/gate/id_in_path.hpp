#pragma once

#include <optional>

#include "http/exchange.hpp"

namespace sluice::gate {

/// The id at the beginning of the path's parameters; nullopt if it is not valid.
template <class Id>
std::optional<Id> find_id_in_path(const http::Exchange& exchange) {
    return Id::parse(exchange.parameters[0]);
}

}  // namespace sluice::gate
