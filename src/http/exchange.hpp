#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "base/task.hpp"
#include "domain/caller.hpp"
#include "http/problem.hpp"
#include "http/request.hpp"
#include "http/response.hpp"
#include "http/route.hpp"
#include "http/router.hpp"
#include "http/web_socket_handler.hpp"

namespace sluice::http {

/// A request on its way to an answer, and what is known about it so far.
struct Exchange {
    Request request;
    Response response;

    std::chrono::steady_clock::time_point began;  // when the whole request had arrived
    std::chrono::milliseconds lag{0};             // of the event loop it came in by

    ProblemContext context;  // language and request id
    std::string_view trace;  // the trace-id of the traceparent, or empty
    Address client;          // who asks: the peer, or whom a trusted proxy names
    bool by_https = false;   // as the configuration or a trusted proxy says
    const Route* route = nullptr;
    std::size_t route_index = kNoRoute;
    std::array<std::string_view, kMaxParameters> parameters{};
    bool screened = false;         // its head was checked already, and let through
    std::optional<Caller> caller;  // set where the route demands a login
    Surfaces surfaces;             // what its listener shows
    unsigned loop = 0;             // number of its event loop
    /// Set by a handler that answers 101: the connection goes on as a WebSocket.
    MakeWebSocketHandler make_web_socket_handler;

    void clear();

    void refuse(Code code) { write_problem(response, code, context); }
    void refuse(Code code, std::string_view detail) {
        write_problem(response, code, context, detail);
    }
};

/// Nothing when the response is ready now, otherwise the rest of the work. This difference makes a
/// refusal cheap: it starts no coroutine.
using Pending = std::optional<Task<>>;

using Handler = std::function<Pending(Exchange&)>;

}  // namespace sluice::http
