#include "gate/front_door.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/reason_of.hpp"
#include "gate/client_address.hpp"
#include "gate/failure_answer.hpp"
#include "gate/overload.hpp"

namespace sluice::gate {
namespace {

using http::Code;

/// A node without the role edge keeps its roles: the next request should reach another node.
constexpr int kOtherNodeSeconds = 1;

/// A parameter's name, fit to be repeated in an answer.
std::string shown_name(std::string_view name) {
    constexpr std::size_t longest = 64;
    const bool plain = !name.empty() && name.size() <= longest && is_visible_ascii(name);
    return plain ? std::string(name) : "query";
}

void refuse_unauthenticated(http::Exchange& exchange) {
    exchange.response.add_header("WWW-Authenticate", "Bearer");
    exchange.refuse(Code::unauthenticated);
}

}  // namespace

FrontDoor::FrontDoor(const Config& config, std::span<const http::Route> routes, Speed& speed,
                     const SessionTokens& tokens, SessionStore& sessions,
                     const http::StaticFiles& files, const BlockList& blocks, const Clock& clock,
                     Log& log)
    : config_(config),
      routes_(routes),
      whole_(routes, {.shop = true, .office = true}),
      shop_(routes, {.shop = true, .office = false}),
      speed_(speed),
      tokens_(tokens),
      sessions_(sessions),
      files_(files),
      blocks_(blocks),
      clock_(clock),
      log_(log),
      origins_(config),
      handlers_(routes.size()) {}

void FrontDoor::bind(std::string_view name, http::Handler handler) {
    const auto at = std::ranges::find(routes_, name, &http::Route::name);
    CHECK(at != routes_.end(), "a handler is bound to a route that does not exist");
    auto& slot = handlers_[static_cast<std::size_t>(at - routes_.begin())];
    CHECK(!slot, "a route has two handlers");
    slot = std::move(handler);
}

void FrontDoor::check_bound() const {
    CHECK(std::ranges::all_of(handlers_, [](const auto& h) { return static_cast<bool>(h); }),
          "a route has no handler");
}

http::Pending FrontDoor::serve(http::Exchange& exchange) {
    try {
        if (auto work = enter(exchange)) return guarded(exchange, std::move(*work));
    } catch (...) {
        report(exchange, std::current_exception());
    }
    return std::nullopt;
}

bool FrontDoor::screen(http::Exchange& exchange) {
    try {
        Headroom nearest;
        const auto now = clock_.now();
        Visitor visitor;
        if (!arrive(exchange, visitor, nearest, now)) return false;
        if (visitor.standing == Speed::Standing::a_stranger) {
            refuse_unauthenticated(exchange);
            return false;
        }
        const bool from_cookie = visitor.credential.from_cookie;
        if (visitor.caller && is_kept_out(exchange, *visitor.caller, from_cookie, now))
            return false;
        exchange.screened = true;
        return true;
    } catch (...) {
        report(exchange, std::current_exception());
        return false;
    }
}

std::size_t FrontDoor::longest_body(const http::Request& request, http::Surfaces surfaces) const {
    const auto& router = surfaces.office ? whole_ : shop_;
    const auto match = router.find(request.method, request.path);
    return match.route == http::kNoRoute ? 0 : routes_[match.route].most_body_bytes;
}

bool FrontDoor::arrive(http::Exchange& exchange, Visitor& visitor, Headroom& nearest,
                       Timestamp now) {
    exchange.client = client_address(exchange.request, config_.http.trusted_proxies);
    exchange.by_https = came_by_https(exchange.request, config_);
    if (!find_route(exchange)) return false;

    const bool shop = exchange.route->surface == http::Surface::shop;
    if (shop) origins_.mark(exchange);
    if (refused_for_overload(exchange)) return false;
    // Operators' routes stay open, and so does their log-in, so that a block can always be lifted
    // again.
    if (shop && !exchange.route->despite_block && blocks_.holds(exchange.client, now)) {
        exchange.refuse(Code::address_blocked);
        return false;
    }
    if (speed_.node_is_full(exchange)) return false;
    visitor = recognise(exchange, now);
    return !is_too_fast(exchange, visitor, nearest) && !speed_.node_gets_full(exchange);
}

FrontDoor::Visitor FrontDoor::recognise(const http::Exchange& exchange, Timestamp now) {
    using Standing = Speed::Standing;
    if (exchange.route->access == http::Access::anyone) return {};
    Visitor visitor{.credential = credential_of(exchange.request, config_),
                    .standing = Standing::a_stranger};
    const auto token = visitor.credential.token;
    if (!SessionTokens::may_be_token(token)) return visitor;
    visitor.caller = sessions_.peek(tokens_.handle_of(token), now);
    if (!visitor.caller) visitor.name = tokens_.recognise(token);
    if (visitor.caller) visitor.standing = Standing::known;
    if (visitor.name) visitor.standing = Standing::claiming;
    return visitor;
}

bool FrontDoor::is_too_fast(http::Exchange& exchange, const Visitor& visitor, Headroom& nearest) {
    if (visitor.name && speed_.claim_too_fast(exchange, visitor.name->handle)) return true;
    return speed_.address_too_fast(exchange, visitor.standing, nearest);
}

http::Pending FrontDoor::enter(http::Exchange& exchange) {
    const auto now = clock_.now();
    Headroom nearest;
    Visitor visitor;
    if (exchange.screened) {
        visitor = recognise(exchange, now);
        nearest = speed_.headroom_of_address(exchange, visitor.standing);
    } else if (!arrive(exchange, visitor, nearest, now)) {
        return std::nullopt;
    }
    if (exchange.route->access == http::Access::anyone) return handle(exchange);

    const bool from_cookie = visitor.credential.from_cookie;
    if (visitor.caller) return admit(exchange, *visitor.caller, from_cookie, nearest, now);
    if (visitor.name) return look_up(exchange, *visitor.name, from_cookie, nearest);
    refuse_unauthenticated(exchange);
    return std::nullopt;
}

Task<> FrontDoor::look_up(http::Exchange& exchange, SessionName name, bool from_cookie,
                          Headroom nearest) {
    const auto now = clock_.now();
    const auto caller = co_await sessions_.find(name, now);
    if (!caller) {
        refuse_unauthenticated(exchange);
        co_return;
    }
    auto work = admit(exchange, *caller, from_cookie, nearest, now);
    if (!work) co_return;
    co_await std::move(*work);
}

http::Pending FrontDoor::admit(http::Exchange& exchange, const Caller& caller, bool from_cookie,
                               Headroom nearest, Timestamp now) {
    if (is_kept_out(exchange, caller, from_cookie, now)) return std::nullopt;
    if (speed_.buyer_too_fast(exchange, caller.id, nearest) || speed_.sale_is_full(exchange))
        return std::nullopt;
    if (!nearest.policy.empty()) write_headroom(exchange.response, nearest);
    exchange.caller = caller;
    return handle(exchange);
}

bool FrontDoor::is_kept_out(http::Exchange& exchange, const Caller& caller, bool from_cookie,
                            Timestamp now) {
    const auto& route = *exchange.route;
    const bool safe = http::is_safe(exchange.request.method) && !route.upgrades;
    std::optional<Code> why;
    if ((from_cookie && !safe && !origins_.is_ours(exchange.request)) ||
        (route.upgrades && origins_.is_foreign(exchange.request)))
        why = Code::csrf;
    else if (!http::admits(route.access, caller.role))
        why = Code::forbidden;
    else if (http::is_for_staff(route.access) && caller.lacks_second_factor)
        why = Code::second_factor_missing;
    else if (route.access == http::Access::buyers && blocks_.holds(caller.id, now))
        why = Code::buyer_blocked;
    if (why) exchange.refuse(*why);
    return why.has_value();
}

/// A misspelt or empty filter must not be ignored: `?sale=1`, or `?sale_id=` from a script whose
/// variable is unset, would export everything.
http::Pending FrontDoor::handle(http::Exchange& exchange) {
    if (const auto flaw = exchange.request.find_query_flaw(exchange.route->query)) {
        http::write_problem(exchange.response, Code::invalid, exchange.context, {},
                            {{shown_name(flaw->name), flaw->rule}});
        return std::nullopt;
    }
    return handlers_[exchange.route_index](exchange);
}

/// True with the route set; otherwise the exchange is already answered, by a file or a problem.
bool FrontDoor::find_route(http::Exchange& exchange) {
    if (!config_.roles.edge && !is_of_machine_room(exchange)) {
        http::write_retry_after(exchange.response, kOtherNodeSeconds);
        exchange.refuse(Code::unavailable);
        return false;
    }
    const auto& router = exchange.surfaces.office ? whole_ : shop_;
    const auto match = router.find(exchange.request.method, exchange.request.path);
    if (match.route != http::kNoRoute) {
        exchange.route = &routes_[match.route];
        exchange.route_index = match.route;
        exchange.parameters = match.parameters;
        return true;
    }
    if (exchange.request.method == http::Method::options) {
        const auto in_the_shop = shop_.find(http::Method::options, exchange.request.path).allow;
        if (!in_the_shop.empty() && origins_.answer_preflight(exchange, in_the_shop)) return false;
    }
    if (!match.allow.empty()) {
        exchange.response.add_header("Allow", match.allow);
        exchange.refuse(Code::method_not_allowed);
        return false;
    }
    if (!files_.serve(exchange)) {
        exchange.refuse(Code::not_found);
        files_.explain_missing(exchange);
    }
    return false;
}

/// What a node without the role edge answers too: the routes for monitoring.
bool FrontDoor::is_of_machine_room(const http::Exchange& exchange) const {
    const auto& router = exchange.surfaces.office ? whole_ : shop_;
    const auto match = router.find(exchange.request.method, exchange.request.path);
    return match.route != http::kNoRoute && routes_[match.route].is_of_machine_room;
}

Task<> FrontDoor::guarded(http::Exchange& exchange, Task<> work) {
    std::exception_ptr failure;
    try {
        co_await std::move(work);
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure) report(exchange, failure);
}

void FrontDoor::report(http::Exchange& exchange, std::exception_ptr failure) {
    exchange.response.clear();
    if (exchange.route && exchange.route->surface == http::Surface::shop) origins_.mark(exchange);
    const auto name = exchange.route ? exchange.route->name : std::string_view("none");
    const auto answer = answer_to(failure);
    if (answer.retry_after_seconds > 0)
        http::write_retry_after(exchange.response, answer.retry_after_seconds);
    exchange.refuse(answer.code);
    if (answer.code == Code::busy) return;
    const bool bug = answer.code == Code::internal;
    log_.write(bug ? Log::Level::error : Log::Level::warn,
               bug ? "http.internal" : "http.unavailable",
               {{"route", name},
                {"reason", reason_of(failure)},
                {"request_id", exchange.context.request_id},
                {"trace", exchange.trace}});
}

}  // namespace sluice::gate
