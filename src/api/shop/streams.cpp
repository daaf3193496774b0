#include "api/shop/streams.hpp"

#include "api/answers.hpp"
#include "api/shop/stream_handler.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// We cannot tell when a stream will end and its slot becomes free, so this is a guess.
constexpr int kRetrySeconds = 10;

void refuse_without_upgrade(http::Exchange& exchange) {
    auto& response = exchange.response;
    response.add_header("Upgrade", "websocket");
    response.add_header("Connection", "Upgrade");
    response.add_header("Sec-WebSocket-Version", "13");
    exchange.refuse(Code::upgrade_required);
}

void refuse_as_full(http::Exchange& exchange, StreamHub::Full full) {
    http::write_retry_after(exchange.response, kRetrySeconds);
    if (full == StreamHub::Full::of_all)
        exchange.refuse(Code::busy);
    else if (full == StreamHub::Full::of_user)
        answer(exchange, Code::rate_limited, Remark::too_many_streams_of_user);
    else
        answer(exchange, Code::rate_limited, Remark::too_many_streams_of_address);
}

}  // namespace

http::Pending Streams::open(http::Exchange& exchange) {
    if (!http::asks_for_web_socket(exchange.request)) {
        refuse_without_upgrade(exchange);
        return std::nullopt;
    }
    const auto& caller = *exchange.caller;
    auto reservation = hub_.admit({caller.session, caller.id, exchange.client}, exchange.loop);
    if (!reservation) {
        refuse_as_full(exchange, reservation.error());
        return std::nullopt;
    }
    exchange.response.status = 101;
    exchange.make_web_socket_handler =
        [reservation = std::move(*reservation),
         parts = StreamHandler::Parts{catalog_, sessions_, clock_, counts_},
         session = caller.session,
         language = exchange.context.language](http::WebSocketSender& socket) mutable {
            return std::make_unique<StreamHandler>(socket, std::move(reservation), parts, session,
                                                   language);
        };
    return std::nullopt;
}

}  // namespace sluice::api
