#include "adapters/web/lookup.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <boost/asio/ip/address.hpp>
#include <netdb.h>

#include "base/public_address.hpp"

namespace sluice::web {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kWaitingNames = 256;
constexpr std::size_t kMostAddresses = 8;

/// Blocks. Empty: the name is not known.
std::vector<Address> ask_system(const std::string& host) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* first = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &first) != 0) return {};
    std::vector<Address> addresses;
    for (const auto* each = first; each && addresses.size() < kMostAddresses;
         each = each->ai_next) {
        char text[NI_MAXHOST];
        const int named = ::getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, nullptr,
                                        0, NI_NUMERICHOST);
        // An address with a zone belongs to a local link, to which we never connect.
        if (const auto address = named == 0 ? Address::parse(text) : std::nullopt)
            addresses.push_back(*address);
    }
    ::freeaddrinfo(first);
    return addresses;
}

}  // namespace

Lookup::Lookup(std::vector<Network> allowed, std::size_t resolvers)
    : allowed_(std::move(allowed)), resolvers_("resolver", resolvers, kWaitingNames) {}

Task<std::vector<Address>> Lookup::find(std::string host) {
    using Found = std::vector<Address>;
    auto start = [this, host = std::move(host)](Completion<Found> completion) {
        if (const auto literal = Address::parse(host)) return completion(nullptr, Found{*literal});
        // Shared, because a job that finds no room is destroyed with its captures.
        auto tell = std::make_shared<Completion<Found>>(std::move(completion));
        const bool taken = resolvers_.submit([host, tell] { (*tell)(nullptr, ask_system(host)); });
        if (!taken) (*tell)(nullptr, Found{});
    };
    return await_completion<Found>(std::move(start));
}

std::vector<Address> Lookup::reachable(const std::vector<Address>& found, bool is_encrypted) const {
    std::vector<Address> addresses;
    for (const auto& address : found) {
        const bool allowed = std::ranges::any_of(
            allowed_, [&](const Network& network) { return network.contains(address); });
        if (allowed || (is_encrypted && is_public(address))) addresses.push_back(address);
    }
    return addresses;
}

std::vector<asio::ip::tcp::endpoint> endpoints_of(const std::vector<Address>& addresses,
                                                  std::uint16_t port) {
    std::vector<asio::ip::tcp::endpoint> endpoints;
    for (const auto& address : addresses)
        endpoints.emplace_back(asio::ip::make_address(address.text()), port);
    return endpoints;
}

asio::ssl::context make_client_tls(const std::filesystem::path& authorities) {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                    asio::ssl::context::no_tlsv1_1);
    tls.set_default_verify_paths();
    boost::system::error_code error;
    if (!authorities.empty()) tls.load_verify_file(authorities.string(), error);
    if (error)
        throw std::runtime_error("cannot read the authorities in " + authorities.string() + ": " +
                                 error.message());
    tls.set_verify_mode(asio::ssl::verify_peer);
    return tls;
}

void set_server_name(SSL* session, std::string host) {
    if (Address::parse(host)) return;
    // What OpenSSL's macro does, which has a C-style cast.
    if (SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host.data()) !=
        1)
        throw boost::system::system_error(asio::error::invalid_argument);
}

}  // namespace sluice::web
