#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/asio_loop.hpp"

namespace sluice::http {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, AsioExecutor>;

}  // namespace sluice::http
