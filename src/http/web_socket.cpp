#include "http/web_socket.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "http/metered_socket.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Error = beast::error_code;

// How long a client has to answer our close frame.
constexpr auto kPartingTime = std::chrono::seconds{2};

constexpr std::size_t kMessagesKeptWhileIdle = 8;
constexpr std::size_t kKeyLength = 24;  // sixteen bytes in base64

/// How often the socket is read in a second at most: enough for each message to come in small
/// pieces.
double reads_a_second(const Config::Streams& limits) {
    constexpr unsigned spare = 4, piece_bytes = 512;
    const auto pieces = spare + limits.message_bytes / piece_bytes;
    return static_cast<double>(limits.messages_per_second) * pieces;
}

bool names(std::string_view list, std::string_view token) {
    return beast::http::token_list{{list.data(), list.size()}}.exists({token.data(), token.size()});
}

bool is_protocol_error(const Error& error) {
    return error == beast::websocket::condition::protocol_violation ||
           error == beast::websocket::error::message_too_big;
}

/// The headers of every answer and those of this one, in the form that Beast needs.
void copy_lines(std::string_view lines, beast::websocket::response_type& to) {
    while (!lines.empty()) {
        const auto end = lines.find("\r\n");
        const auto line = lines.substr(0, end);
        const auto colon = line.find(": ");
        const auto name = line.substr(0, colon), value = line.substr(colon + 2);
        to.insert({name.data(), name.size()}, {value.data(), value.size()});
        lines.remove_prefix(end + 2);
    }
}

}  // namespace

bool asks_for_web_socket(const Request& request) {
    return request.method == Method::get && !request.http_1_0 &&
           names(request.header("Connection"), "upgrade") &&
           names(request.header("Upgrade"), "websocket") &&
           request.header("Sec-WebSocket-Version") == "13" &&
           request.header("Sec-WebSocket-Key").size() == kKeyLength;
}

struct WebSocket::Beast {
    // Without permessage-deflate: its windows would cost every stream many times what it holds.
    beast::websocket::stream<MeteredSocket, false> stream;
};

struct WebSocket::Handshake {
    beast::http::request<beast::http::empty_body> request;
    std::string lines;
};

WebSocket::WebSocket(Socket& socket, Exchange& exchange, const Framing& framing,
                     const Config::Streams& limits, std::chrono::seconds write_time,
                     std::chrono::steady_clock::time_point now)
    : socket_(socket),
      limits_(limits),
      write_time_(write_time),
      handshake_(std::make_unique<Handshake>()),
      beast_(new Beast{beast::websocket::stream<MeteredSocket, false>(socket, reads_)}),
      now_(now),
      heard_at_(now),
      write_began_(now),
      allowance_(limits.messages_per_second),
      reads_(reads_a_second(limits)) {
    auto& request = handshake_->request;
    request.method(beast::http::verb::get);
    request.target("/");
    request.version(11);
    for (const auto* name :
         {"Host", "Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version"}) {
        const auto value = exchange.request.header(name);
        request.set(name, beast::string_view(value.data(), value.size()));
    }
    append_common_headers(handshake_->lines, framing);
    handshake_->lines += exchange.response.extra_headers();

    auto& stream = beast_->stream;
    stream.auto_fragment(false);
    stream.text(true);
    stream.read_message_max(limits.message_bytes);
    stream.control_callback([this](beast::websocket::frame_type kind, beast::string_view) {
        heard_at_ = now_;
        const bool asked_for = kind == beast::websocket::frame_type::pong && pinged_;
        pinged_ = false;
        // Only noted here: Beast is in the middle of reading.
        const bool close = kind == beast::websocket::frame_type::close;
        if (!asked_for && !close && !count_message()) too_fast_ = true;
    });
    handler_ = exchange.make_web_socket_handler(*this);
}

WebSocket::~WebSocket() = default;

Flow<> WebSocket::run() {
    std::exception_ptr failure;
    try {
        co_await converse();
    } catch (...) {
        failure = std::current_exception();
    }
    hang_up(ending_);
    co_await settle();
    handler_->end(ending_);
    if (failure) std::rethrow_exception(failure);
}

Flow<> WebSocket::converse() {
    const bool agreed = co_await shake_hands();
    if (!agreed) co_return;
    open_ = true;
    if (!waiting_.empty()) write_next();
    co_await read();
}

Flow<bool> WebSocket::shake_hands() {
    auto& stream = beast_->stream;
    stream.set_option(beast::websocket::stream_base::decorator(
        [lines = std::move(handshake_->lines)](beast::websocket::response_type& response) {
            copy_lines(lines, response);
            response.set(beast::http::field::server, "sluice");
        }));
    const auto [error] =
        co_await stream.async_accept(handshake_->request, asio::as_tuple(use_flow));
    stream.set_option(beast::websocket::stream_base::decorator([](auto&) {}));
    handshake_.reset();
    co_return !error;
}

Flow<> WebSocket::read() {
    for (;;) {
        const auto [error, bytes] =
            co_await beast_->stream.async_read_some(asio::buffer(chunk_), asio::as_tuple(use_flow));
        if (error && is_protocol_error(error) && !is_closing_) ending_ = "bad_frame";
        if (reads_ < 0 && !is_closing_) ending_ = kTooFast.reason;
        if (error) co_return;
        heard_at_ = now_;
        pinged_ = false;
        // After our close frame we only wait for the client's.
        if (!is_closing_) hear(bytes);
    }
}

void WebSocket::hear(std::size_t bytes) {
    if (beast_->stream.got_binary()) return part(kTextOnly);
    message_.append(chunk_.data(), bytes);
    if (!beast_->stream.is_message_done()) return;
    const auto whole = std::exchange(message_, {});
    if (!count_message()) return part(kTooFast);
    handler_->hear(whole);
}

bool WebSocket::count_message() {
    if (allowance_ < 1) return false;
    allowance_ -= 1;
    return true;
}

void WebSocket::send(Message text, std::int64_t subject) {
    if (is_closing_) return;
    if (subject != 0) {
        const auto begin = waiting_.begin() + (writing_ ? 1 : 0);
        const auto same = std::find_if(begin, waiting_.end(), [subject](const Waiting& each) {
            return each.subject == subject;
        });
        if (same != waiting_.end()) {
            same->text = std::move(text);
            return;
        }
    }
    if (waiting_.size() >= limits_.queue) return part(kSlowReader);
    waiting_.push_back({std::move(text), subject});
    if (open_ && !writing_) write_next();
}

void WebSocket::write_next() {
    writing_ = true;
    write_began_ = now_;
    ++under_way_;
    beast_->stream.async_write(
        asio::buffer(*waiting_.front().text), [this](Error error, std::size_t) {
            writing_ = false;
            waiting_.erase(waiting_.begin());
            if (waiting_.empty() && waiting_.capacity() > kMessagesKeptWhileIdle)
                waiting_.shrink_to_fit();
            if (!error && !is_closing_ && !waiting_.empty()) write_next();
            end_operation();
        });
}

void WebSocket::part(CloseReason farewell) {
    if (is_closing_) return;
    if (!open_) return hang_up(farewell.reason);
    is_closing_ = true;
    close_sent_at_ = now_;
    ending_ = farewell.reason;
    waiting_.resize(writing_ ? 1 : 0);
    ++under_way_;
    const beast::websocket::close_reason reason(
        static_cast<beast::websocket::close_code>(farewell.code),
        beast::string_view(farewell.reason.data(), farewell.reason.size()));
    beast_->stream.async_close(reason, [this](Error) { end_operation(); });
}

void WebSocket::tick(std::chrono::steady_clock::time_point now, bool draining) {
    const std::chrono::duration<double> passed = now - now_;
    const double most = limits_.messages_per_second;
    allowance_ = std::min(most, allowance_ + passed.count() * most);
    const double most_reads = reads_a_second(limits_);
    if (reads_ >= 0) reads_ = std::min(most_reads, reads_ + passed.count() * most_reads);
    now_ = now;
    if (is_closing_) {
        if (now - close_sent_at_ >= kPartingTime) hang_up(ending_);
    } else if (draining) {
        part(kDraining);
    } else if (too_fast_) {
        part(kTooFast);
    } else if ((writing_ || !open_) && now - write_began_ >= write_time_) {
        part(kSlowReader);
    } else if (open_) {
        beat(now);
    }
}

void WebSocket::beat(std::chrono::steady_clock::time_point now) {
    const auto silence = now - heard_at_;
    const std::chrono::seconds patience{limits_.heartbeat_seconds};
    if (silence >= 2 * patience) return hang_up("dead");
    // One ping at a time: it may wait long behind a write that makes no progress.
    if (silence < patience || pinged_ || pinging_) return;
    pinged_ = pinging_ = true;
    ++under_way_;
    beast_->stream.async_ping({}, [this](Error) {
        pinging_ = false;
        end_operation();
    });
}

void WebSocket::hang_up(std::string_view reason) {
    is_closing_ = true;
    ending_ = reason;
    Error ignored;
    socket_.close(ignored);
}

void WebSocket::end_operation() {
    if (--under_way_ == 0 && settled_) settled_->cancel();
}

/// Waits until no operation of Beast is under way, since they use this object.
Flow<> WebSocket::settle() {
    if (under_way_ == 0) co_return;
    settled_.emplace(socket_.get_executor(), Timer::time_point::max());
    while (under_way_ > 0) co_await settled_->async_wait(asio::as_tuple(use_flow));
}

}  // namespace sluice::http
