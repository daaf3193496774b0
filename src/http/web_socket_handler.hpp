#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/request.hpp"

namespace sluice::http {

/// How we part from a client: the code and the reason of the close frame.
struct Farewell {
    std::uint16_t code;
    std::string_view reason;  // lasts as long as the program
};

inline constexpr Farewell kDraining{1001, "draining"};
inline constexpr Farewell kTextOnly{1003, "text_only"};
inline constexpr Farewell kTooFast{1008, "rate_limited"};
inline constexpr Farewell kSessionEnded{1008, "session_ended"};
inline constexpr Farewell kBlocked{1008, "blocked"};
inline constexpr Farewell kSlowReader{1013, "slow_reader"};

/// Every way a WebSocket ends. After our own farewells: the client left, it broke the protocol, it
/// was not there any more.
inline constexpr std::array<std::string_view, 9> kEndings{kDraining.reason,
                                                          kTextOnly.reason,
                                                          kTooFast.reason,
                                                          kSessionEnded.reason,
                                                          kBlocked.reason,
                                                          kSlowReader.reason,
                                                          "left",
                                                          "bad_frame",
                                                          "dead"};

/// Whether the request asks to go on as a WebSocket, in the one version there is.
bool asks_for_web_socket(const Request& request);

/// The side of a WebSocket that a handler sends by. On the connection's own thread.
class WebSocketSender {
  public:
    using Message = std::shared_ptr<const std::string>;

    /// A message that still waits to be sent is replaced by the next of the same subject, if that
    /// is not 0. A client that lets too many wait is parted from as a slow reader.
    virtual void send(Message text, std::int64_t subject = 0) = 0;

    /// Says why, waits a moment for the client to say goodbye too, and hangs up. The first one
    /// counts.
    virtual void part(Farewell farewell) = 0;

  protected:
    ~WebSocketSender() = default;
};

/// What a handler puts behind a connection that becomes a WebSocket. Called on the connection's own
/// thread; must not throw.
class WebSocketHandler {
  public:
    virtual ~WebSocketHandler() = default;

    /// A whole text message, of the size and at the pace that the limits allow.
    virtual void hear(std::string_view text) = 0;

    /// It is over; nothing is heard any more, and nothing sent would arrive. `reason` is one of
    /// kEndings.
    virtual void end(std::string_view reason) = 0;
};

/// Makes the handler, before the client hears that the WebSocket is open: what the handler sends is
/// sent once it has. The sender outlives the handler.
using MakeWebSocketHandler =
    std::move_only_function<std::unique_ptr<WebSocketHandler>(WebSocketSender& sender)>;

}  // namespace sluice::http
