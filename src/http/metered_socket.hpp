#pragma once

#include <utility>

#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "http/socket.hpp"

namespace sluice::http {

/// A socket that can be read a limited number of times. Beast skips empty frames by itself, so a
/// flood of them is noticed only here. It is closed when it is read once too often.
class MeteredSocket {
  public:
    using executor_type = Socket::executor_type;
    using next_layer_type = Socket;

    /// Both outlive it. Each read takes one from `reads`, which the owner fills up again.
    MeteredSocket(Socket& socket, double& reads) : socket_(socket), reads_(reads) {}

    executor_type get_executor() { return socket_.get_executor(); }
    Socket& next_layer() { return socket_; }
    const Socket& next_layer() const { return socket_; }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        reads_ -= 1;
        if (reads_ < 0) {
            boost::system::error_code ignored;
            socket_.close(ignored);
        }
        return socket_.async_read_some(buffers, std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return socket_.async_write_some(buffers, std::forward<Token>(token));
    }

  private:
    Socket& socket_;
    double& reads_;
};

/// How Beast ends the connection below a WebSocket.
template <class Handler>
void async_teardown(boost::beast::role_type role, MeteredSocket& socket, Handler&& handler) {
    boost::beast::websocket::async_teardown(role, socket.next_layer(),
                                            std::forward<Handler>(handler));
}
inline void teardown(boost::beast::role_type role, MeteredSocket& socket,
                     boost::beast::error_code& error) {
    boost::beast::websocket::teardown(role, socket.next_layer(), error);
}

}  // namespace sluice::http
