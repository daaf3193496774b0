#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "adapters/redis/options.hpp"
#include "base/asio_loop.hpp"

namespace sluice::redis {

/// One connection: TCP or a socket file, with TLS or without. For one loop. Failures throw
/// boost::system::system_error.
class Wire {
  public:
    /// Without `tls` the bytes are sent unencrypted.
    Wire(AsioLoop& loop, boost::asio::ssl::context* tls);

    Flow<> connect(Place place);
    Flow<std::size_t> read_some(std::span<char> into);
    Flow<> write(std::string bytes);
    /// `bytes` stay valid until `then` is called. One call at a time.
    void start_write(std::string_view bytes,
                     std::move_only_function<void(boost::system::error_code)> then);
    /// Whatever is under way fails.
    void close();

  private:
    using Socket =
        boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, AsioExecutor>;

    Flow<> reach(Place place);

    AsioLoop& loop_;
    Socket socket_;
    std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

boost::asio::ssl::context make_tls(const TlsOptions& options);

}  // namespace sluice::redis
