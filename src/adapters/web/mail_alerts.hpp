#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/basic_stream.hpp>

#include "adapters/web/lookup.hpp"
#include "base/address.hpp"
#include "base/asio_loop.hpp"
#include "ports/alert_channel.hpp"

namespace sluice::web {

/// Mails alerts by SMTP, one connection for each. With TLS from the first byte, or after STARTTLS,
/// before which nothing is sent; without TLS only to this machine, and never with a password.
class MailAlerts final : public AlertChannel {
  public:
    enum class Tls {
        from_start,  // smtps
        starttls,
        none,
    };
    struct Options {
        std::string host;
        std::uint16_t port = 587;
        Tls tls = Tls::starttls;
        std::string user;  // empty: the server needs no log-in
        std::string password;
        std::string from;
        std::vector<std::string> to;
        std::vector<Network> allowed;       // allowed though they are not public
        std::filesystem::path authorities;  // PEM; empty: the system's only
        std::chrono::seconds patience{10};  // for the whole conversation
    };

    /// All calls come from that loop. Throws std::runtime_error when the authorities cannot be
    /// read.
    MailAlerts(Options options, AsioLoop& loop);

    Task<Answer> tell(AlertMessage message) override;

    /// Ends what is under way. On the loop.
    void hang_up();

  private:
    using Stream = boost::beast::basic_stream<boost::asio::ip::tcp, AsioExecutor>;

    Flow<Answer> converse(std::string mail, std::vector<Address> addresses);

    const Options options_;
    AsioLoop& loop_;
    boost::asio::ssl::context tls_;
    Lookup lookup_;
    std::set<Stream*> open_;   // of the loop
    bool is_hung_up_ = false;  // of the loop
};

}  // namespace sluice::web
