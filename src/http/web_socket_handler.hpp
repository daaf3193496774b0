#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/request.hpp"

namespace sluice::http {

/// The code and the reason of the close frame with which we end a connection.
struct CloseReason {
    std::uint16_t code;
    std::string_view reason;  // lasts as long as the program
};

inline constexpr CloseReason kDraining{1001, "draining"};
inline constexpr CloseReason kTextOnly{1003, "text_only"};
inline constexpr CloseReason kTooFast{1008, "rate_limited"};
inline constexpr CloseReason kSessionEnded{1008, "session_ended"};
inline constexpr CloseReason kBlocked{1008, "blocked"};
inline constexpr CloseReason kSlowReader{1013, "slow_reader"};

/// Every way in which a WebSocket ends. Besides our own farewells: the client left, it broke the
/// protocol, it did not answer any more.
inline constexpr std::array<std::string_view, 9> kEndings{kDraining.reason,
                                                          kTextOnly.reason,
                                                          kTooFast.reason,
                                                          kSessionEnded.reason,
                                                          kBlocked.reason,
                                                          kSlowReader.reason,
                                                          "left",
                                                          "bad_frame",
                                                          "dead"};

/// Whether the request asks for a WebSocket, in the one version there is.
bool asks_for_web_socket(const Request& request);

/// What a handler uses to send on a WebSocket. On the connection's own thread.
class WebSocketSender {
  public:
    using Message = std::shared_ptr<const std::string>;

    /// If `subject` is not 0, the message replaces a waiting one of the same subject. A client that
    /// lets too many messages wait is disconnected as a slow reader.
    virtual void send(Message text, std::int64_t subject = 0) = 0;

    /// Sends the reason, waits a moment for the client's close frame, and closes the connection.
    /// Only the first call counts.
    virtual void part(CloseReason farewell) = 0;

  protected:
    ~WebSocketSender() = default;
};

/// What handles a connection that has become a WebSocket. Called on the connection's own thread;
/// must not throw.
class WebSocketHandler {
  public:
    virtual ~WebSocketHandler() = default;

    /// A whole text message. Its size and the rate of messages are within the limits.
    virtual void hear(std::string_view text) = 0;

    /// The connection has ended: nothing is received any more, and nothing sent would arrive.
    /// `reason` is one of kEndings.
    virtual void end(std::string_view reason) = 0;
};

/// Makes the handler before the client is told that the WebSocket is open. What the handler sends
/// is sent after that. The sender outlives the handler.
using MakeWebSocketHandler =
    std::move_only_function<std::unique_ptr<WebSocketHandler>(WebSocketSender& sender)>;

}  // namespace sluice::http
