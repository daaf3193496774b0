#pragma once

#include <string_view>

namespace sluice::http {

class WebSocket;

/// What a handler puts behind a connection that becomes a WebSocket. Called on the connection's own
/// thread; must not throw.
class WebSocketHandler {
  public:
    virtual ~WebSocketHandler() = default;

    /// Before the client hears that it is open: what is sent from now on is sent once it has. The
    /// socket outlives the handler.
    virtual void begin(WebSocket& socket) = 0;

    /// A whole text message, of the size and at the pace that the limits allow.
    virtual void hear(std::string_view text) = 0;

    /// It is over; nothing is heard any more, and nothing sent would arrive. `reason` is one of
    /// kEndings.
    virtual void end(std::string_view reason) = 0;
};

}  // namespace sluice::http
