#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/basic_stream.hpp>

#include "adapters/web/lookup.hpp"
#include "base/address.hpp"
#include "base/asio_loop.hpp"
#include "base/web_url.hpp"
#include "ports/poster.hpp"

namespace sluice::web {

/// Posts over HTTP and HTTPS. It connects to an address that it has checked, never to a name, so
/// that no name server can lead it into a private network. Addresses that are not public are
/// refused unless they are allowed, and without TLS it connects only to allowed ones. Certificates
/// and the host's name are verified against the system's authorities and, if a file is given, those
/// in it.
class WebPoster final : public Poster {
  public:
    struct Options {
        std::vector<Network> allowed;       // allowed though they are not public
        std::filesystem::path authorities;  // PEM; empty: the system's only
        std::chrono::seconds patience{10};  // from connecting to the whole answer
        // A name server that does not answer occupies a thread for as long as the system asks it.
        std::size_t resolvers = 16;
    };

    /// All calls come from that loop. Throws std::runtime_error when the authorities cannot be
    /// read.
    WebPoster(Options options, AsioLoop& loop);

    Task<Answer> post(Letter letter) override;
    void hang_up() override;

  private:
    Flow<Answer> exchange(Letter letter, WebUrl url, std::vector<Address> addresses);

    const Options options_;
    AsioLoop& loop_;
    boost::asio::ssl::context tls_;
    Lookup lookup_;
    std::set<boost::beast::basic_stream<boost::asio::ip::tcp, AsioExecutor>*> open_;  // of the loop
    bool is_hung_up_ = false;                                                         // of the loop
};

}  // namespace sluice::web
