#include "adapters/web/web_poster.hpp"

#include <set>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace sluice::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using Stream = beast::basic_stream<tcp, AsioExecutor>;
using Request = beast::http::request<beast::http::string_body>;

constexpr std::size_t kLongestHead = 16 * 1024;
constexpr std::size_t kLongestAnswer = 64 * 1024;

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

/// The status is valid as soon as it has arrived, whatever happens to the rest of the answer.
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
        // Too long, or cut off: the part that is there may be enough.
    }
    Poster::Answer heard;
    heard.status = answer.get().result_int();
    heard.body = std::move(answer.get().body());
    co_return heard;
}

/// A connection that can be closed from outside until the post is over.
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
      tls_(make_client_tls(options_.authorities)),
      lookup_(options_.allowed, options_.resolvers) {}

Task<Poster::Answer> WebPoster::post(Letter letter) {
    auto url = WebUrl::parse(letter.url);
    if (!url) co_return failed("the address makes no sense");
    const auto found = co_await lookup_.find(url->host);
    if (is_hung_up_) co_return failed("the server ends");
    if (found.empty()) co_return failed("the host has no address");
    auto addresses = lookup_.reachable(found, url->secure);
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
    is_hung_up_ = true;
    for (auto* stream : open_) stream->cancel();
}

Flow<Poster::Answer> WebPoster::exchange(Letter letter, WebUrl url,
                                         std::vector<Address> addresses) {
    const auto executor = co_await asio::this_coro::executor;
    const auto endpoints = endpoints_of(addresses, url.port);
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
    set_server_name(stream.native_handle(), url.host);
    stream.set_verify_callback(asio::ssl::host_name_verification(url.host));
    co_await stream.async_handshake(asio::ssl::stream_base::client, use_flow);
    auto answer = co_await converse(stream, request);
    co_return answer;
}

}  // namespace sluice::web
