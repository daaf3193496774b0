#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "domain/session_token.hpp"
#include "gate/block_list.hpp"
#include "gate/credential.hpp"
#include "gate/origins.hpp"
#include "gate/speed.hpp"
#include "http/exchange.hpp"
#include "http/router.hpp"
#include "http/static_files.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice::gate {

/// Every request comes in here. In this order, each no as cheap as it can be: is there such a
/// route, is the node overloaded, is the address blocked, who is it, as far as memory tells, is the
/// address too fast for such as them, is the request really theirs, may they, are they too fast, is
/// their sale full; then the route's handler. Whatever a handler throws ends here too, as a
/// problem.
class FrontDoor {
  public:
    FrontDoor(const Config& config, std::span<const http::Route> routes, Speed& speed,
              const SessionTokens& tokens, SessionStore& sessions, const http::StaticFiles& files,
              const BlockList& blocks, const Clock& clock, Log& log);

    /// Each route gets its handler before the first request; a route without one is a bug.
    void bind(std::string_view route, http::Handler handler);
    void check_bound() const;

    http::Pending serve(http::Exchange& exchange);

    /// What can be checked by the head alone, before the rest of the body arrives: route, block,
    /// rate, whether a token is ours, and, if its session is in memory, whether its user may call
    /// the route. False: the exchange holds the answer. True: serve() does the rest.
    bool screen(http::Exchange& exchange);

    /// How long the body of such a request may be where that is more than usual, else 0.
    std::size_t longest_body(const http::Request& request, http::Surfaces surfaces) const;

  private:
    /// Who asks, as far as memory and the token itself tell. Nobody on a route that needs no login.
    struct Visitor {
        Credential credential{};
        std::optional<Caller> caller{};     // whose session is in memory
        std::optional<SessionName> name{};  // of a token of ours, else
        Speed::Standing standing = Speed::Standing::known;
    };
    Visitor recognise(const http::Exchange& exchange, Timestamp now);

    /// False: the exchange holds the answer.
    bool arrive(http::Exchange& exchange, Visitor& visitor, Headroom& nearest, Timestamp now);
    bool is_too_fast(http::Exchange& exchange, const Visitor& visitor, Headroom& nearest);
    http::Pending enter(http::Exchange& exchange);
    http::Pending admit(http::Exchange& exchange, const Caller& caller, bool from_cookie,
                        Headroom nearest, Timestamp now);
    Task<> look_up(http::Exchange& exchange, SessionName name, bool from_cookie, Headroom nearest);
    Task<> guarded(http::Exchange& exchange, Task<> work);

    /// True: the exchange holds the answer.
    bool is_kept_out(http::Exchange& exchange, const Caller& caller, bool from_cookie,
                     Timestamp now);

    bool find_route(http::Exchange& exchange);
    bool is_of_machine_room(const http::Exchange& exchange) const;
    /// Calls the route's handler with a query that has only known parameters.
    http::Pending handle(http::Exchange& exchange);
    void report(http::Exchange& exchange, std::exception_ptr failure);

    const Config& config_;
    const std::span<const http::Route> routes_;
    const http::Router whole_;
    const http::Router shop_;  // for a listener that does not show the office
    Speed& speed_;
    const SessionTokens& tokens_;
    SessionStore& sessions_;
    const http::StaticFiles& files_;
    const BlockList& blocks_;
    const Clock& clock_;
    Log& log_;
    const Origins origins_;
    std::vector<http::Handler> handlers_;
};

}  // namespace sluice::gate
