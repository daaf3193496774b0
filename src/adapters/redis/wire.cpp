#include "adapters/redis/wire.hpp"

#include <stdexcept>
#include <tuple>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>

#include "base/address.hpp"

namespace sluice::redis {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// What OpenSSL's macro does, which has a C-style cast.
bool set_server_name(SSL* session, std::string name) {
    return SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                    name.data()) == 1;
}

}  // namespace

Wire::Wire(AsioLoop& loop, asio::ssl::context* tls)
    : loop_(loop), socket_(loop.context().get_executor()) {
    if (tls) tls_.emplace(socket_, *tls);
}

Flow<> Wire::connect(Place place) {
    const auto host = place.host;
    co_await reach(std::move(place));
    if (!tls_) co_return;
    // An address cannot be sent as a server name, but the certificate has to contain it all the
    // same.
    if (!Address::parse(host) && !set_server_name(tls_->native_handle(), host))
        throw boost::system::system_error(asio::error::invalid_argument);
    tls_->set_verify_callback(asio::ssl::host_name_verification(host));
    co_await tls_->async_handshake(asio::ssl::stream_base::client, use_flow);
}

Flow<> Wire::reach(Place place) {
    if (!place.socket.empty()) {
        const asio::local::stream_protocol::endpoint file(place.socket.string());
        co_await socket_.async_connect(file, use_flow);
        co_return;
    }
    asio::ip::basic_resolver<tcp, AsioExecutor> resolver(loop_.context());
    const auto port = std::to_string(place.port);
    const auto found = co_await resolver.async_resolve(place.host, port, use_flow);
    std::vector<asio::generic::stream_protocol::endpoint> endpoints;
    for (const auto& each : found) endpoints.emplace_back(each.endpoint());
    co_await asio::async_connect(socket_, endpoints, use_flow);
    socket_.set_option(tcp::no_delay(true));
}

Flow<std::size_t> Wire::read_some(std::span<char> into) {
    const auto buffer = asio::buffer(into.data(), into.size());
    const auto size = tls_ ? co_await tls_->async_read_some(buffer, use_flow)
                           : co_await socket_.async_read_some(buffer, use_flow);
    co_return size;
}

Flow<> Wire::write(std::string bytes) {
    const auto buffer = asio::buffer(bytes);
    if (tls_)
        co_await asio::async_write(*tls_, buffer, use_flow);
    else
        co_await asio::async_write(socket_, buffer, use_flow);
}

void Wire::start_write(std::string_view bytes,
                       std::move_only_function<void(boost::system::error_code)> then) {
    const auto buffer = asio::buffer(bytes.data(), bytes.size());
    auto tell = [then = std::move(then)](boost::system::error_code error, std::size_t) mutable {
        then(error);
    };
    if (tls_)
        asio::async_write(*tls_, buffer, std::move(tell));
    else
        asio::async_write(socket_, buffer, std::move(tell));
}

void Wire::close() {
    boost::system::error_code ignored;
    std::ignore = socket_.close(ignored);
}

asio::ssl::context make_tls(const TlsOptions& options) {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                    asio::ssl::context::no_tlsv1_1);
    tls.set_default_verify_paths();
    const auto require = [](boost::system::error_code error, const std::filesystem::path& file) {
        if (error)
            throw std::runtime_error("cannot read " + file.string() + ": " + error.message());
    };
    boost::system::error_code error;
    if (!options.authorities.empty())
        require(tls.load_verify_file(options.authorities.string(), error), options.authorities);
    if (!options.certificate.empty()) {
        require(tls.use_certificate_chain_file(options.certificate.string(), error),
                options.certificate);
        require(tls.use_private_key_file(options.key.string(), asio::ssl::context::pem, error),
                options.key);
    }
    tls.set_verify_mode(asio::ssl::verify_peer);
    return tls;
}

}  // namespace sluice::redis
