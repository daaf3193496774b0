#include "adapters/web/web_poster.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <netdb.h>

#include "base/public_address.hpp"

namespace sluice::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using Stream = beast::basic_stream<tcp, AsioExecutor>;
using Request = beast::http::request<beast::http::string_body>;

constexpr std::size_t kWaitingNames = 256;
constexpr std::size_t kMostAddresses = 8;
constexpr std::size_t kLongestHead = 16 * 1024;
constexpr std::size_t kLongestAnswer = 64 * 1024;

asio::ssl::context make_tls(const std::filesystem::path& authorities) {
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

/// Blocks. None: the name is not known.
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
        // An address with a zone is of a link, which is nowhere we go.
        if (const auto address = named == 0 ? Address::parse(text) : std::nullopt)
            addresses.push_back(*address);
    }
    ::freeaddrinfo(first);
    return addresses;
}

tcp::endpoint endpoint_of(const Address& address, std::uint16_t port) {
    return {asio::ip::make_address(address.text()), port};
}

Request make_request(Poster::Letter letter, const WebUrl& url) {
    Request request(beast::http::verb::post, url.target, 11);
    request.set(beast::http::field::host, url.authority());
    request.set(beast::http::field::user_agent, "sluice");
    request.set(beast::http::field::content_type, "application/json");
    request.set(beast::http::field::connection, "close");
    for (const auto& [name, value] : letter.headers) request.set(name, value);
    request.body() = std::move(letter.body);
    request.prepare_payload();
    return request;
}

/// What OpenSSL's macro does, which casts as C does.
bool set_server_name(SSL* session, std::string name) {
    return SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                    name.data()) == 1;
}

/// The status counts from the moment it is there, whatever becomes of the rest of the answer.
template <class Any>
Flow<Poster::Answer> converse(Any& stream, Request& request) {
    co_await beast::http::async_write(stream, request, use_flow);
    beast::flat_buffer buffer(kLongestHead + kLongestAnswer);
    beast::http::response_parser<beast::http::string_body> answer;
    answer.header_limit(kLongestHead);
    answer.body_limit(kLongestAnswer);
    co_await beast::http::async_read_header(stream, buffer, answer, use_flow);
    try {
        co_await beast::http::async_read(stream, buffer, answer, use_flow);
    } catch (const boost::system::system_error&) {
        // Too long, or cut off: what is there may be enough.
    }
    Poster::Answer heard;
    heard.status = answer.get().result_int();
    heard.body = std::move(answer.get().body());
    co_return heard;
}

/// One that can be hung up on, until it is done.
struct Enlisted {
    std::set<Stream*>& open;
    Stream* const stream;

    ~Enlisted() { open.erase(stream); }
};

Poster::Answer failed(std::string why) {
    Poster::Answer answer;
    answer.failure = std::move(why);
    return answer;
}

}  // namespace

WebPoster::WebPoster(Options options, AsioLoop& loop)
    : options_(std::move(options)),
      loop_(loop),
      tls_(make_tls(options_.authorities)),
      resolvers_("resolver", options_.resolvers, kWaitingNames) {}

Task<Poster::Answer> WebPoster::post(Letter letter) {
    auto url = WebUrl::parse(letter.url);
    if (!url) co_return failed("the address makes no sense");
    const auto found = co_await look_up(url->host);
    if (found.empty()) co_return failed("the host has no address");
    auto addresses = reachable(*url, found);
    if (addresses.empty())
        co_return failed(url->secure ? "the host's address is not public, and not allowed"
                                     : "without https only allowed addresses are reached");
    Answer answer;
    try {
        auto flow = exchange(std::move(letter), std::move(*url), std::move(addresses));
        answer = co_await await_flow(loop_, std::move(flow));
    } catch (const boost::system::system_error& failure) {
        answer.failure = failure.code().message();
    }
    co_return answer;
}

void WebPoster::hang_up() {
    for (auto* stream : open_) stream->cancel();
}

Task<std::vector<Address>> WebPoster::look_up(std::string host) {
    using Found = std::vector<Address>;
    auto start = [this, host = std::move(host)](Completion<Found> completion) {
        if (const auto literal = Address::parse(host)) return completion(nullptr, Found{*literal});
        // Shared, because a job that finds no room is gone with all it held.
        auto tell = std::make_shared<Completion<Found>>(std::move(completion));
        const bool taken = resolvers_.submit([host, tell] { (*tell)(nullptr, ask_system(host)); });
        if (!taken) (*tell)(nullptr, Found{});
    };
    return await_completion<Found>(std::move(start));
}

std::vector<Address> WebPoster::reachable(const WebUrl& url,
                                          const std::vector<Address>& found) const {
    std::vector<Address> addresses;
    for (const auto& address : found) {
        const bool allowed = std::ranges::any_of(
            options_.allowed, [&](const Network& network) { return network.contains(address); });
        if (allowed || (url.secure && is_public(address))) addresses.push_back(address);
    }
    return addresses;
}

Flow<Poster::Answer> WebPoster::exchange(Letter letter, WebUrl url,
                                         std::vector<Address> addresses) {
    const auto executor = co_await asio::this_coro::executor;
    std::vector<tcp::endpoint> endpoints;
    for (const auto& address : addresses) endpoints.push_back(endpoint_of(address, url.port));
    auto request = make_request(std::move(letter), url);
    asio::ssl::stream<Stream> stream(Stream(executor), tls_);
    auto& plain = stream.next_layer();
    open_.insert(&plain);
    const Enlisted enlisted{open_, &plain};
    plain.expires_after(options_.patience);
    co_await plain.async_connect(endpoints, use_flow);
    if (!url.secure) {
        auto answer = co_await converse(plain, request);
        co_return answer;
    }
    // An address is no server name, but is looked for in the certificate all the same.
    const bool named = !Address::parse(url.host);
    if (named && !set_server_name(stream.native_handle(), url.host))
        throw boost::system::system_error(asio::error::invalid_argument);
    stream.set_verify_callback(asio::ssl::host_name_verification(url.host));
    co_await stream.async_handshake(asio::ssl::stream_base::client, use_flow);
    auto answer = co_await converse(stream, request);
    co_return answer;
}

}  // namespace sluice::web
