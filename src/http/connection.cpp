#include "http/connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>

#include "base/check.hpp"
#include "http/loop.hpp"
#include "http/web_socket.hpp"
#include "observe/trace_id.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kRead = 4096;
constexpr std::size_t kBodyRoom = 512;  // after a head, so that each read brings something
constexpr std::size_t kBytesKeptWhileIdle = 4096;
constexpr std::size_t kFlushAt = 64 * 1024;
constexpr std::size_t kLingerBytes = 16 * 1024 * 1024;
constexpr auto kLingerTime = std::chrono::seconds{5};
constexpr auto kIdleGrace = std::chrono::seconds{1};
constexpr auto kForever = std::chrono::steady_clock::time_point::max();

/// Whoever is not let in has lost nothing with the connection.
bool was_turned_away(const Response& response) {
    return response.status == 401 || response.status == 403 || response.status == 404 ||
           response.status == 429;
}

}  // namespace

Connection::Connection(Socket socket, Address peer, Surfaces surfaces, const Answering& answering,
                       Loop& loop, Places& places, Seat& seat)
    : socket_(std::move(socket)), answering_(answering), loop_(loop), places_(places), seat_(seat) {
    exchange_.request.peer = peer;
    exchange_.surfaces = surfaces;
    exchange_.loop = loop.index();
    longest_body_ = [this](const Request& request) {
        return answering_.longest_body(request, exchange_.surfaces);
    };
    enter(Phase::idle);
}

Connection::~Connection() = default;

/// The whole common path is in this one coroutine: starting one for each request would cost more
/// than the request.
Flow<> Connection::run() {
    const std::size_t longest_head = loop_.limits().header_bytes;
    for (;;) {
        const auto verdict = scanner_.scan(in_.view());
        if (verdict == HeadScanner::Verdict::refused || scanner_.length() > longest_head) {
            // The answer must not show anything of the request before this one.
            exchange_.clear();
            identify();
            co_await refuse_and_close(verdict == HeadScanner::Verdict::refused
                                          ? Code::malformed
                                          : Code::header_too_large);
            co_return;
        }
        if (verdict != HeadScanner::Verdict::complete) {
            const bool sent = send_now() || co_await flush();
            if (!sent) co_return;
            if (in_.empty())
                rest();
            else if (phase_ != Phase::head)  // entered once, not with every byte of a slow client
                enter(Phase::head);
            in_.reserve(kRead);
            const auto room = in_.room();
            const auto [error, n] = co_await socket_.async_read_some(
                asio::buffer(room.data(), room.size()), asio::as_tuple(use_flow));
            if (error) co_return;
            in_.commit(n);
            continue;
        }

        if (const auto refused = read_head()) {
            co_await refuse_and_close(*refused);
            co_return;
        }
        if (!parser_->complete()) {
            const Body body = co_await wait_for_body();
            if (body == Body::broken) co_return;
            if (body == Body::not_wanted) continue;
        }
        auto pending = pass_to_handler();
        if (pending) {
            // Answers to earlier requests need not wait for this request.
            const bool sent = send_now() || co_await flush();
            if (!sent) co_return;
            enter(Phase::handling);
            co_await await_task(loop_.executor(), std::move(*pending));
        }
        if (exchange_.make_web_socket_handler) {
            co_await become_web_socket();
            co_return;
        }
        loop_.condense(exchange_);
        const bool keep = may_stay_open();
        const bool whole = answer(keep);
        record(std::chrono::steady_clock::now() - exchange_.began);
        if (!whole) {
            const bool sent = co_await send_rest();
            if (!sent) co_return;
        }
        in_.consume(scanner_.length());
        scanner_.reset();
        if (!keep) {
            co_await half_close();
            co_return;
        }
        phase_ = Phase::handling;
        const bool sent = out_.size() <= kFlushAt || send_now() || co_await flush();
        if (!sent) co_return;
    }
}

bool Connection::may_stay_open() {
    // With HTTP/1.0 only the end of the connection ends a body that comes in pieces.
    const bool delimited = !exchange_.request.http_1_0 || !exchange_.response.in_pieces();
    return exchange_.request.keep_alive && delimited && !loop_.draining() && !seat_.is_blocked &&
           !seat_.has_to_leave() && ++served_ < loop_.limits().keep_alive_requests;
}

std::optional<Code> Connection::read_head() {
    exchange_.clear();
    const auto& limits = loop_.limits();
    in_.reserve(kBodyRoom);  // from here on the head is not moved, so views into it stay valid
    parser_.emplace(exchange_.request, body_, limits.header_fields, limits.body_bytes);
    if (answering_.longest_body) parser_->ask_for_longest_body(longest_body_);
    const auto refused = parser_->parse_head(in_.view().substr(0, scanner_.length()));
    identify();
    if (refused || parser_->complete()) return refused;
    return take_body();
}

/// The head stays at the front of the buffer; the body arrives behind it, piece by piece.
std::optional<Code> Connection::take_body() {
    const std::size_t head = scanner_.length();
    std::size_t taken = 0;
    const auto refused = parser_->parse_body(in_.view().substr(head), taken);
    if (!refused) in_.cut(head, taken);
    return refused;
}

Flow<Connection::Body> Connection::wait_for_body() {
    exchange_.began = std::chrono::steady_clock::now();
    exchange_.lag = loop_.lag();
    const bool screened = answering_.screen(exchange_);
    note_client();
    const bool wanted = screened && may_wait();
    if (!wanted) {
        const bool goes_on = co_await answer_early();
        co_return goes_on ? Body::not_wanted : Body::broken;
    }
    const bool whole = co_await read_body();
    if (lent_) places_.give_back(seat_);
    lent_ = false;
    co_return whole ? Body::whole : Body::broken;
}

bool Connection::may_wait() {
    // A connection that the client opened itself was counted when it was opened.
    if (exchange_.client == exchange_.request.peer || answering_.is_unbounded(exchange_.client))
        return true;
    const auto loan = places_.lend(seat_, exchange_.client, std::chrono::steady_clock::now());
    if (loan.to_leave) loan.to_leave->loop->ask_to_close(loan.to_leave);
    lent_ = loan.granted;
    if (lent_) return true;
    exchange_.response.clear();
    write_retry_after(exchange_.response, 1);
    exchange_.refuse(Code::rate_limited);
    return false;
}

/// The answer does not wait for the body. The rest of the body is discarded for a moment, so that
/// the connection can go on: most bodies are on their way already.
Flow<bool> Connection::answer_early() {
    loop_.condense(exchange_);
    // Whoever waits for "100 Continue" may send the body now or never, so we cannot tell where the
    // next request begins.
    const bool keep = !parser_->expects_continue() && may_stay_open();
    const bool whole = answer(keep);
    record(std::chrono::steady_clock::now() - exchange_.began);
    if (!whole) {
        const bool sent = co_await send_rest();
        if (!sent) co_return false;
    }
    if (!keep) {
        co_await half_close();
        co_return false;
    }
    const bool sent = send_now() || co_await flush();
    if (!sent) co_return false;
    enter(Phase::lingering);
    while (!parser_->complete()) {
        const bool received = co_await receive();
        if (!received || take_body()) co_return false;
    }
    in_.consume(scanner_.length());
    scanner_.reset();
    phase_ = Phase::handling;
    co_return true;
}

Pending Connection::pass_to_handler() {
    exchange_.request.body = body_;
    exchange_.began = std::chrono::steady_clock::now();
    exchange_.lag = loop_.lag();
    auto pending = answering_.serve(exchange_);
    note_client();
    return pending;
}

void Connection::note_client() {
    if (!places_.crowded() || exchange_.client == exchange_.request.peer) return;
    const bool counts = !answering_.is_unbounded(exchange_.client);
    seat_.note_client({counts ? std::optional(exchange_.client) : std::nullopt});
}

Flow<bool> Connection::read_body() {
    if (parser_->expects_continue()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
    const bool sent = send_now() || co_await flush();
    if (!sent) co_return false;
    enter(Phase::body);
    while (!parser_->complete()) {
        const bool received = co_await receive();
        if (!received) co_return false;
        if (const auto refused = take_body()) {
            co_await refuse_and_close(*refused);
            co_return false;
        }
    }
    co_return true;
}

/// More of the body, behind the head.
Flow<bool> Connection::receive() {
    const auto room = in_.room();
    const auto [error, n] = co_await socket_.async_read_some(asio::buffer(room.data(), room.size()),
                                                             asio::as_tuple(use_flow));
    if (!error) in_.commit(n);
    co_return !error;
}

Flow<> Connection::refuse_and_close(Code code) {
    exchange_.response.clear();
    if (code == Code::too_large)
        write_too_large(exchange_.response, exchange_.context, parser_->most_body_bytes());
    else
        exchange_.refuse(code);
    exchange_.request.method = Method::get;  // so that the client receives the problem's body
    answer(false);
    record({});
    co_await half_close();
}

/// Closing a socket with unread bytes resets it, and a reset can destroy our answer before the
/// client has read it. So we close our side first and go on reading for a while.
Flow<> Connection::half_close() {
    const bool sent = co_await flush();
    if (!sent) co_return;
    boost::system::error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
    enter(Phase::lingering);
    in_.consume(in_.size());
    for (std::size_t drained = 0; drained < kLingerBytes;) {
        in_.reserve(kRead);
        const auto room = in_.room();
        const auto [error, n] = co_await socket_.async_read_some(
            asio::buffer(room.data(), room.size()), asio::as_tuple(use_flow));
        if (error) co_return;
        drained += n;
    }
}

Flow<bool> Connection::send_rest() {
    bool sent = co_await flush();
    if (!sent) co_return false;
    if (exchange_.response.in_pieces())
        sent = co_await send_pieces();
    else
        sent = co_await send_from_owner();
    co_return sent;
}

Flow<> Connection::become_web_socket() {
    if (in_.size() > scanner_.length()) {
        // The client may have sent more before it knew that the WebSocket is open.
        exchange_.make_web_socket_handler = nullptr;
        co_await refuse_and_close(Code::malformed);
        co_return;
    }
    const bool sent = co_await flush();
    if (!sent) co_return;
    web_socket_ = std::make_unique<WebSocket>(
        socket_, exchange_, framing(true), loop_.stream_limits(),
        std::chrono::seconds{loop_.limits().write_seconds}, loop_.now());
    record(std::chrono::steady_clock::now() - exchange_.began);
    // It may be one of thousands that stay open for hours.
    exchange_ = {};
    parser_.reset();
    in_ = {};
    std::string().swap(body_);
    std::string().swap(out_);
    seat_.note(Doing::streaming, loop_.now());
    co_await web_socket_->run();
}

/// A long body is sent from where it is kept, not copied into our buffer.
Flow<bool> Connection::send_from_owner() {
    enter(Phase::writing);
    const auto content = exchange_.response.content();
    const auto [error, n] = co_await asio::async_write(
        socket_, asio::buffer(content.data(), content.size()), asio::as_tuple(use_flow));
    co_return !error;
}

/// The next piece is made when the client has taken the last one, so a slow client costs one piece
/// of memory. The time limit of an answer holds for each piece.
Flow<bool> Connection::send_pieces() {
    std::optional<std::string> failure;
    std::string piece;
    for (bool more = true; more;) {
        piece.clear();
        enter(Phase::handling);
        try {
            more = co_await await_task(loop_.executor(), exchange_.response.next_piece(piece));
        } catch (const std::exception& thrown) {
            failure = thrown.what();
        }
        if (failure) {
            loop_.report_broken(exchange_, *failure);
            reset();
            co_return false;
        }
        append_piece(out_, piece, !more, exchange_.request.http_1_0);
        const bool sent = co_await flush();
        if (!sent) co_return false;
    }
    exchange_.response.end_pieces();
    co_return true;
}

bool Connection::send_now() {
    if (out_.empty()) return true;
    boost::system::error_code error;
    const auto sent = socket_.send(asio::buffer(out_), 0, error);
    if (error || sent < out_.size()) {
        out_.erase(0, error ? 0 : sent);
        return false;
    }
    out_.clear();
    return true;
}

Flow<bool> Connection::flush() {
    if (out_.empty()) co_return true;
    enter(Phase::writing);
    const auto [error, n] =
        co_await asio::async_write(socket_, asio::buffer(out_), asio::as_tuple(use_flow));
    out_.clear();
    co_return !error;
}

/// The client's own request id is kept when it is harmless, so that logs of several services can be
/// joined.
void Connection::identify() {
    const auto sent = exchange_.request.header("X-Request-Id");
    exchange_.context.request_id = sent;
    if (!acceptable_request_id(sent)) {
        loop_.request_ids().next(request_id_);
        exchange_.context.request_id = {request_id_.data(), request_id_.size()};
    }
    exchange_.trace = trace_id(exchange_.request.header("traceparent"));
    const auto languages = exchange_.request.header("Accept-Language");
    if (!languages.empty()) exchange_.context.language = preferred_language(languages);
    exchange_.client = exchange_.request.peer;
}

Framing Connection::framing(bool keep_alive) const {
    return {.date = loop_.date(),
            .request_id = exchange_.context.request_id,
            .keep_alive = keep_alive,
            .https = loop_.https() || exchange_.by_https,
            .http_1_0 = exchange_.request.http_1_0,
            .head_only = exchange_.request.method == Method::head};
}

bool Connection::answer(bool keep_alive) {
    return append_response(out_, exchange_.response, framing(keep_alive));
}

/// Keeps little memory while it waits for the next request: there may be thousands of idle
/// connections.
void Connection::rest() {
    enter(Phase::idle);
    for (auto* buffer : {&body_, &out_, &exchange_.response.body})
        if (buffer->capacity() > kBytesKeptWhileIdle) std::string().swap(*buffer);  // frees it
}

Doing Connection::doing_in(Phase phase) const {
    switch (phase) {
        case Phase::idle:
            return was_turned_away(exchange_.response) ? Doing::turned_away : Doing::idle;
        case Phase::head:
            return Doing::sending_head;
        case Phase::body:
            return Doing::sending_body;
        case Phase::writing:
            return Doing::reading;
        case Phase::lingering:
            return Doing::lingering;
        case Phase::handling:
            return Doing::working;
    }
    CHECK(false, "the phase of a connection is one of the enum");
}

void Connection::enter(Phase phase) {
    const auto& limits = loop_.limits();
    phase_ = phase;
    phase_began_ = loop_.now();
    seat_.note(doing_in(phase), phase_began_);
    switch (phase) {
        case Phase::idle:
            // A client that connects should soon send its first request.
            deadline_ = phase_began_ + std::chrono::seconds{served_ > 0 ? limits.keep_alive_seconds
                                                                        : limits.header_seconds};
            break;
        case Phase::head:
            deadline_ = phase_began_ + std::chrono::seconds{limits.header_seconds};
            break;
        case Phase::body:
            deadline_ = phase_began_ + std::chrono::seconds{limits.body_seconds};
            break;
        case Phase::writing:
            deadline_ = phase_began_ + std::chrono::seconds{limits.write_seconds};
            break;
        case Phase::lingering:
            deadline_ = phase_began_ + kLingerTime;
            break;
        case Phase::handling:
            deadline_ = kForever;
            break;  // limited by the time of what it waits for
    }
}

void Connection::record(std::chrono::nanoseconds took) {
    loop_.record(exchange_, took);
    answering_.on_answer(loop_.index(), exchange_, took);
}

void Connection::tick(std::chrono::steady_clock::time_point now, bool draining) {
    if (web_socket_) return web_socket_->tick(now, draining);
    const bool blocks_count = places_.bounds().of_blocked.has_value();
    if (blocks_count && !seat_.is_blocked && answering_.is_blocked(exchange_.request.peer))
        leave_soon();
    // Whoever has to leave after an answer does not wait for it, nor take it slowly.
    if (seat_.has_to_leave() && seat_.may_be_closed(now)) return close();
    // When nearly all places are taken, idle connections are closed to make room.
    const bool unneeded = phase_ == Phase::idle && now - phase_began_ >= kIdleGrace &&
                          (draining || places_.crowded());
    if (unneeded || now >= deadline_) close();
}

void Connection::leave_soon() {
    seat_.leave_after_answer();
    boost::system::error_code ignored;
    if (phase_ == Phase::idle && socket_.available(ignored) == 0) close();
}

/// If the body ends with the connection, only a reset tells the client that the body is not
/// complete.
void Connection::reset() {
    boost::system::error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    close();
}

void Connection::close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

}  // namespace sluice::http
