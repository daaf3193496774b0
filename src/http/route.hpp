#pragma once

#include <cstddef>
#include <string_view>

#include "base/check.hpp"
#include "domain/rate_limits.hpp"
#include "domain/user.hpp"
#include "http/known_query.hpp"
#include "http/method.hpp"

namespace sluice::http {

/// Who may call a route. Denied unless the row says otherwise. A blocked user still counts as a
/// user, but not as a buyer. Staff are support, operators and admins.
enum class Access { anyone, user, buyers, staff, operators };

/// Routes for staff. They require the second factor, if the server does.
constexpr bool is_for_staff(Access access) {
    return access == Access::staff || access == Access::operators;
}

/// Whether the role may call such a row.
constexpr bool admits(Access access, Role role) {
    switch (access) {
        case Access::anyone:
        case Access::user:
        case Access::buyers:
            return true;
        case Access::staff:
            return is_staff(role);
        case Access::operators:
            return may_operate(role);
    }
    CHECK(false, "a row is for somebody");
}

/// Which listener answers it, when the office has a listener of its own.
enum class Surface { shop, office };

/// What one listener shows.
struct Surfaces {
    bool shop = true;
    bool office = true;

    constexpr bool show(Surface surface) const { return surface == Surface::shop ? shop : office; }
};

/// One row of the route table.
struct Route {
    std::string_view name;  // the operationId in the OpenAPI document, and the label in metrics
    Method method;
    std::string_view path;  // segments in braces are parameters
    Access access;
    RateClass rate;
    Surface surface = Surface::shop;
    /// Becomes a WebSocket. Browsers open WebSockets for any page, with the cookie and regardless
    /// of CORS, so the request has to come from a page of ours.
    bool upgrades = false;
    /// Answered also for a blocked address: what an operator needs to log in and lift the block.
    bool despite_block = false;
    KnownQuery query{};
    /// What monitors ask of every node, also of a node without the role edge.
    bool is_of_machine_room = false;
    /// Of a body that may be larger than others; 0: it may not.
    std::size_t most_body_bytes = 0;

    constexpr Route of_machine_room() const {
        Route row = *this;
        row.is_of_machine_room = true;
        return row;
    }

    constexpr Route with_body_up_to(std::size_t bytes) const {
        Route row = *this;
        row.most_body_bytes = bytes;
        return row;
    }

    /// The same row with these query parameters.
    constexpr Route taking(
        std::initializer_list<std::string_view> names,
        KnownQuery::Strictness strictness = KnownQuery::Strictness::strict) const {
        Route row = *this;
        row.query = {names, strictness};
        return row;
    }
};

}  // namespace sluice::http
