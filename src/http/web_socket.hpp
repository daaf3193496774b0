#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/basic_waitable_timer.hpp>

#include "base/asio_loop.hpp"
#include "config/config.hpp"
#include "http/exchange.hpp"
#include "http/response.hpp"
#include "http/socket.hpp"
#include "http/web_socket_handler.hpp"

namespace sluice::http {

/// A connection that has become a WebSocket: Beast's frames, limits for what waits to be sent and
/// for what is received, and a heartbeat. Lives on the connection's loop and is used by that loop's
/// thread only.
class WebSocket final : public WebSocketSender {
  public:
    /// Answers the exchange's request and makes the handler that it asks for. The socket outlives
    /// it.
    WebSocket(Socket& socket, Exchange& exchange, const Framing& framing,
              const Config::Streams& limits, std::chrono::seconds write_time,
              std::chrono::steady_clock::time_point now);
    ~WebSocket();

    /// Sends the handshake's answer and then messages, until one side ends it.
    Flow<> run();

    void send(Message text, std::int64_t subject) override;
    void part(CloseReason farewell) override;

    /// Called by the connection, several times a second.
    void tick(std::chrono::steady_clock::time_point now, bool draining);

  private:
    using Timer =
        boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                          boost::asio::wait_traits<std::chrono::steady_clock>,
                                          AsioExecutor>;
    struct Beast;
    struct Handshake;
    struct Waiting {
        Message text;
        std::int64_t subject;
    };

    Flow<> converse();
    Flow<bool> shake_hands();
    Flow<> read();
    void hear(std::size_t bytes);
    bool count_message();
    void write_next();
    void beat(std::chrono::steady_clock::time_point now);
    void hang_up(std::string_view reason);
    void end_operation();
    Flow<> settle();

    Socket& socket_;
    const Config::Streams& limits_;
    const std::chrono::seconds write_time_;
    std::unique_ptr<Handshake> handshake_;  // until it is done
    std::unique_ptr<WebSocketHandler> handler_;
    std::unique_ptr<Beast> beast_;

    std::chrono::steady_clock::time_point now_;  // as of the last tick
    std::chrono::steady_clock::time_point heard_at_;
    std::chrono::steady_clock::time_point write_began_;
    std::chrono::steady_clock::time_point close_sent_at_;

    std::array<char, 256> chunk_;
    std::string message_;  // as far as it has come
    double allowance_;     // messages that may still come in this second
    double reads_;         // of the socket that may be made now; below 0 it is closed

    std::vector<Waiting> waiting_;  // the first is being written, when one is
    bool open_ = false;
    bool writing_ = false;
    bool pinged_ = false;   // no answer to it yet
    bool pinging_ = false;  // and it is not on its way yet
    bool is_closing_ = false;
    bool too_fast_ = false;
    std::string_view ending_ = "left";

    std::size_t under_way_ = 0;     // operations of Beast's, besides reading
    std::optional<Timer> settled_;  // never expires; cancelled when nothing is under way any more
};

}  // namespace sluice::http
