#include "adapters/redis/link.hpp"

#include <array>

#include <boost/asio/redirect_error.hpp>
#include <sodium.h>

#include "adapters/redis/bad_reply.hpp"
#include "adapters/redis/greeting.hpp"
#include "base/backoff.hpp"

namespace sluice::redis {
namespace {

namespace asio = boost::asio;

constexpr Backoff kBackoff{.first = std::chrono::milliseconds{50},
                           .longest = std::chrono::milliseconds{2'000}};

/// From 0 to 1.
double chance() {
    constexpr std::uint32_t kParts = 1'000;
    return static_cast<double>(randombytes_uniform(kParts)) / kParts;
}

/// Answered before anything is done, so nothing has happened.
bool is_refusal(std::string_view error) {
    constexpr std::array<std::string_view, 9> kRefusals{"NOSCRIPT", "OOM",        "LOADING",
                                                        "NOAUTH",   "NOPERM",     "MISCONF",
                                                        "BUSY",     "MASTERDOWN", "NOREPLICAS"};
    for (const auto refusal : kRefusals)
        if (error.starts_with(refusal)) return true;
    return false;
}

std::exception_ptr as_failure(const std::string& error) {
    const auto text = "Redis says: " + error;
    if (error.starts_with("READONLY")) return std::make_exception_ptr(ReadOnly(text));
    if (is_refusal(error)) return std::make_exception_ptr(Outage(text));
    return std::make_exception_ptr(UnknownOutcome(text));
}

/// After such an answer the server cannot be used, or not any more.
bool ends_connection(std::string_view error) {
    return error.starts_with("READONLY") || error.starts_with("LOADING") ||
           error.starts_with("MASTERDOWN") || error.starts_with("NOAUTH");
}

}  // namespace

Link::Link(const Options& options, asio::ssl::context* tls, AsioLoop& loop)
    : options_(options),
      tls_(tls),
      loop_(loop),
      deadline_(loop.context()),
      heartbeat_(loop.context()),
      pause_(loop.context()) {}

void Link::start() {
    // The coroutine's own frame keeps the link until it ends.
    asio::co_spawn(loop_.context(), live(), [self = shared_from_this()](std::exception_ptr) {
        if (self->when_stopped_) self->when_stopped_();
    });
    beat();
}

void Link::stop(std::move_only_function<void()> done) {
    is_stopped_ = true;
    when_stopped_ = std::move(done);
    deadline_.cancel();
    heartbeat_.cancel();
    pause_.cancel();
    lose("the server stops", State::away);
}

Flow<> Link::live() {
    while (!is_stopped_) {
        std::string reason;
        bool was_open = false;
        try {
            co_await connect();
            was_open = true;
            co_await receive();
        } catch (const std::exception& failure) {
            reason = failure.what();
        }
        lose(reason, was_open && !is_stopped_ ? State::connecting : State::away);
        if (!is_stopped_) co_await pause();
    }
}

Flow<> Link::connect() {
    const auto place = options_.places[attempts_++ % options_.places.size()];
    connection_ = std::make_shared<Connection>(loop_, tls_, options_.longest_reply);
    Timer limit(loop_.context(), options_.patience);
    limit.async_wait([weak = std::weak_ptr(connection_)](boost::system::error_code error) {
        const auto connection = weak.lock();
        if (!error && connection) connection->wire.close();
    });
    co_await connection_->wire.connect(place);
    co_await greet();
    if (limit.expiry() <= Clock::now() || is_stopped_) throw Outage("no connection in time");
    state_ = State::open;
    failures_ = 0;
    --attempts_;  // the same host is the first to be tried again
    for (auto waiting = std::exchange(waiting_, {}); !waiting.empty(); waiting.pop_front())
        transmit(std::move(waiting.front()));
}

Flow<> Link::greet() {
    const Greeting greeting(options_);
    const auto answers = co_await ask(greeting.commands(), greeting.answers());
    auto server = greeting.read(answers);
    connection_->run = server.run;
    const MutexLock lock(mutex_);
    health_ = {.is_connected = true, .failure = {}, .server = std::move(server)};
}

Flow<std::vector<Reply>> Link::ask(std::string commands, std::size_t answers) {
    co_await connection_->wire.write(std::move(commands));
    std::vector<Reply> replies;
    while (replies.size() < answers) {
        const auto size = co_await connection_->wire.read_some(connection_->incoming);
        connection_->reader.feed({connection_->incoming.data(), size});
        while (auto reply = connection_->reader.next()) replies.push_back(std::move(*reply));
    }
    co_return replies;
}

Flow<> Link::receive() {
    const auto connection = connection_;
    for (;;) {
        const auto size = co_await connection->wire.read_some(connection->incoming);
        connection->reader.feed({connection->incoming.data(), size});
        while (auto reply = connection->reader.next()) {
            if (state_ != State::open) co_return;  // given up by one of the calls below
            take(std::move(*reply));
        }
    }
}

Flow<> Link::pause() {
    pause_.expires_after(kBackoff.after(failures_++, chance()));
    boost::system::error_code ignored;
    co_await pause_.async_wait(asio::redirect_error(use_flow, ignored));
}

void Link::send(Call call, Completion<Reply> done) {
    if (state_ == State::away) throw Outage("Redis is away");
    if (waiting_.size() + in_flight_.size() >= options_.most_waiting)
        throw Overload("too many calls wait for Redis");
    const auto deadline = Clock::now() + options_.patience + call.waits;
    Sent sent{std::move(call), std::move(done), deadline};
    if (state_ == State::open)
        transmit(std::move(sent));
    else
        waiting_.push_back(std::move(sent));
    watch_deadlines();
}

void Link::transmit(Sent sent) {
    append_call(connection_->outgoing, sent.call, connection_->run);
    in_flight_.push_back(std::move(sent));
    flush();
}

/// Calls that come while bytes are being written are sent with the next bytes.
void Link::flush() {
    auto& connection = *connection_;
    if (connection.outgoing.empty() || !connection.being_written.empty()) return;
    connection.being_written.swap(connection.outgoing);
    connection.wire.start_write(
        connection.being_written,
        [self = shared_from_this(), kept = connection_](boost::system::error_code error) {
            kept->being_written.clear();
            if (error) return kept->wire.close();
            if (self->connection_ == kept) self->flush();
        });
}

void Link::take(Reply reply) {
    if (in_flight_.empty()) throw BadReply("Redis has answered what nobody asked");
    auto sent = std::move(in_flight_.front());
    in_flight_.pop_front();
    if (reply.view().is_error())
        take_error(std::move(sent), std::string(reply.view().text()));
    else
        sent.done(nullptr, std::move(reply));
}

void Link::take_error(Sent sent, std::string error) {
    const bool is_unloaded = sent.call.script && error.starts_with("NOSCRIPT");
    if (is_unloaded && !sent.is_repeated) {
        Sent load{{.script = nullptr, .words = {"SCRIPT", "LOAD", sent.call.script->text}},
                  [](const std::exception_ptr&, const Reply&) {},
                  sent.deadline};
        transmit(std::move(load));
        sent.is_repeated = true;
        return transmit(std::move(sent));
    }
    sent.done(as_failure(error), Reply{});
    if (ends_connection(error)) lose(error, State::connecting);
}

/// What was sent is unknown from now on. What waits for a connection waits for the next one, unless
/// that is not to be expected soon.
void Link::lose(const std::string& reason, State next) {
    if (connection_) connection_->wire.close();
    state_ = next;
    auto sent = std::exchange(in_flight_, {});
    auto unsent = next == State::away ? std::exchange(waiting_, {}) : std::deque<Sent>{};
    {
        const MutexLock lock(mutex_);
        health_.is_connected = false;
        if (!reason.empty()) health_.failure = reason;
    }
    for (auto& each : sent)
        each.done(std::make_exception_ptr(UnknownOutcome("no answer from Redis: " + reason)),
                  Reply{});
    for (auto& each : unsent)
        each.done(std::make_exception_ptr(Outage("Redis is away: " + reason)), Reply{});
}

/// One timer for all calls: they are answered in their order, so the first one expires first.
void Link::watch_deadlines() {
    if (is_watching_ || is_stopped_ || (in_flight_.empty() && waiting_.empty())) return;
    is_watching_ = true;
    deadline_.expires_at(in_flight_.empty() ? waiting_.front().deadline
                                            : in_flight_.front().deadline);
    deadline_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        self->is_watching_ = false;
        if (error) return;
        self->expire();
        self->watch_deadlines();
    });
}

void Link::expire() {
    const auto now = Clock::now();
    if (!in_flight_.empty() && in_flight_.front().deadline <= now)
        lose("no answer in time", State::connecting);
    while (!waiting_.empty() && waiting_.front().deadline <= now) {
        auto late = std::move(waiting_.front());
        waiting_.pop_front();
        late.done(std::make_exception_ptr(Outage("no connection to Redis in time")), Reply{});
    }
}

/// The server may change while a connection lasts: it may become a replica, and then a master that
/// has forgotten writes. So it is asked about itself from time to time.
void Link::beat() {
    if (is_stopped_) return;
    heartbeat_.expires_after(options_.heartbeat);
    heartbeat_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        if (error) return;
        const bool has_room = self->in_flight_.size() < self->options_.most_waiting;
        if (self->state_ == State::open && has_room)
            self->send({.script = nullptr, .words = {"INFO"}},
                       [self](const std::exception_ptr& failure, const Reply& info) {
                           if (!failure) self->on_heartbeat(info);
                       });
        self->beat();
    });
}

void Link::on_heartbeat(const Reply& info) {
    auto server = health().server;
    server.read_info(info.view().text());
    const bool is_another = server.run != connection_->run || !server.is_master;
    {
        const MutexLock lock(mutex_);
        health_.server = std::move(server);
    }
    if (is_another) lose("this Redis has become another one", State::connecting);
}

LinkHealth Link::health() const {
    const MutexLock lock(mutex_);
    return health_;
}

}  // namespace sluice::redis
