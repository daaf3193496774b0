#include "adapters/rabbitmq/poster.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <pthread.h>

#include "adapters/rabbitmq/codec.hpp"
#include "base/check.hpp"

namespace sluice::rabbitmq {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookPace = 1s;
constexpr auto kLookPaceWhenFull = 250ms;  // how soon free room is noticed
constexpr int kEventsAtATime = 256;        // then posts have their turn
constexpr int kPatienceForLate = 5;        // times the time for a confirm; then a new connection

}  // namespace

Poster::Poster(const Options& options, const Topology& topology, const Listener& listener)
    : options_(options), topology_(topology), listener_(listener), attempts_(options) {
    state_.problem = "not connected yet";
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "broker-post");
        run();
    });
}

Poster::~Poster() {
    stop();
}

void Poster::stop() {
    {
        const MutexLock lock(mutex_);
        is_stopping_ = true;
    }
    wake_up_.ring();
    if (thread_.joinable()) thread_.join();
}

Task<bool> Poster::post(std::vector<Ticket> tickets) {
    auto start = [&](Completion<bool> resume) {
        send(topology_.tickets, {encode(tickets), std::string(kContentType)},
             [resume = std::move(resume)](bool is_kept) mutable { resume(nullptr, is_kept); });
    };
    co_return co_await await_completion<bool>(std::move(start));
}

void Poster::send(const Queue& queue, Message message, Answer answer) {
    {
        const MutexLock lock(mutex_);
        const auto under_way = waiting_.size() + static_cast<std::size_t>(state_.unconfirmed);
        if (takes(queue) && under_way < options_.unconfirmed) {
            waiting_.push_back({&queue, std::move(message), std::move(answer)});
            answer = nullptr;
        }
    }
    if (answer)
        answer(false);
    else
        wake_up_.ring();
}

bool Poster::takes(const Queue& queue) const {
    const bool is_long = is_long_ && &queue == &topology_.tickets;
    return state_.is_connected && !is_stopping_ && !is_blocked_ && !is_late_ && !is_long;
}

BrokerState Poster::state() const {
    const MutexLock lock(mutex_);
    auto state = state_;
    state.is_full = state.is_connected && (is_blocked_ || is_long_ || is_late_);
    return state;
}

bool Poster::is_stopping() const {
    const MutexLock lock(mutex_);
    return is_stopping_;
}

bool Poster::is_blocked() const {
    const MutexLock lock(mutex_);
    return is_blocked_;
}

void Poster::run() {
    while (!is_stopping()) {
        const auto& host = attempts_.next();
        try {
            Connection connection(options_, host);
            for (const auto* queue : topology_.all()) take(connection.declare(*queue));
            connection.confirm_posts();
            open(host.name + ':' + std::to_string(host.port));
            serve(connection);
        } catch (const Lost& lost) {
            lose(host.name + ':' + std::to_string(host.port) + ": " + lost.what());
            if (!is_stopping()) wake_up_.wait(-1, attempts_.pause());
        }
    }
    lose("the program ends");
}

void Poster::open(const std::string& host) {
    attempts_.succeed();
    posted_ = 0;
    looks_ = 0;
    next_look_ = Clock::now() + kLookPace;
    {
        const MutexLock lock(mutex_);
        state_.is_connected = true;
        state_.host = host;
        state_.problem.clear();
    }
    listener_.on_event("broker.connected", host);
}

void Poster::serve(Connection& connection) {
    for (;;) {
        wake_up_.wait(connection.socket(), longest_wait());
        if (is_stopping()) {
            connection.close();
            return;
        }
        send_waiting(connection);
        hear(connection);
        expire();
        look(connection);
    }
}

/// Everything that was under way is unknown now.
void Poster::lose(const std::string& reason) {
    bool is_news = false;
    std::vector<Answer> answers;
    {
        const MutexLock lock(mutex_);
        is_news = state_.problem != reason;
        state_.is_connected = false;
        state_.problem = reason;
        is_blocked_ = is_long_ = is_late_ = false;
        for (auto& [number, sent] : sent_) {
            if (!sent.answer) continue;
            ++state_.unanswered;
            answers.push_back(std::move(sent.answer));
        }
        for (auto& each : waiting_) answers.push_back(std::move(each.answer));
        state_.unconfirmed = 0;
        waiting_.clear();
    }
    sent_.clear();
    late_ = 0;
    for (auto& answer : answers) answer(false);
    if (is_news && !is_stopping()) listener_.on_event("broker.away", reason);
}

std::chrono::milliseconds Poster::longest_wait() const {
    auto until = looks_ == 0 ? next_look_ : Clock::now() + kLookPace;
    for (const auto& [number, sent] : sent_) {
        if (!sent.answer) continue;
        until = std::min(until, sent.deadline);
        break;  // the others were sent later
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    return std::max(left, 0ms);
}

void Poster::send_waiting(Connection& connection) {
    while (auto next = next_waiting()) {
        auto& [queue, message, answer] = *next;
        message.id = std::to_string(++posted_);
        sent_.emplace(posted_, Sent{std::move(answer), Clock::now() + options_.confirm_within});
        connection.post(*queue, message);
    }
}

/// The next post whose queue has room. From here on it counts as unconfirmed. Posts to a full queue
/// are answered.
std::optional<Poster::Waiting> Poster::next_waiting() {
    for (;;) {
        Waiting next;
        {
            const MutexLock lock(mutex_);
            if (waiting_.empty()) return std::nullopt;
            next = std::move(waiting_.front());
            waiting_.pop_front();
            if (takes(*next.queue)) {
                ++state_.unconfirmed;
                return next;
            }
        }
        next.answer(false);
    }
}

void Poster::hear(Connection& connection) {
    for (int count = 0; count < kEventsAtATime; ++count) {
        auto event = connection.next();
        if (!event) return;
        std::visit([this](auto& what) { take(std::move(what)); }, *event);
    }
    wake_up_.ring();  // there may be more, which the socket does not show
}

void Poster::take(const Confirmed& confirmed) {
    auto at = confirmed.is_multiple ? sent_.begin() : sent_.find(confirmed.tag);
    while (at != sent_.end() && at->first <= confirmed.tag) {
        auto sent = std::move(at->second);
        at = sent_.erase(at);
        settle(std::move(sent), confirmed.is_kept);
        if (!confirmed.is_multiple) break;
    }
    if (late_ == 0) set_full(&Poster::is_late_, false, "");
    if (!confirmed.is_kept) set_full(&Poster::is_long_, true, "the broker has refused a message");
}

void Poster::settle(Sent sent, bool is_kept) {
    if (!sent.answer) {  // too late: it was counted as unanswered
        --late_;
        return;
    }
    {
        const MutexLock lock(mutex_);
        --state_.unconfirmed;
        auto& counter = !is_kept           ? state_.refused
                        : sent.is_returned ? state_.returned
                                           : state_.confirmed;
        ++counter;
    }
    sent.answer(is_kept && !sent.is_returned);
}

void Poster::take(Returned returned) {
    std::uint64_t number = 0;
    std::from_chars(returned.id.data(), returned.id.data() + returned.id.size(), number);
    const auto at = sent_.find(number);
    if (at != sent_.end()) at->second.is_returned = true;
    next_look_ = Clock::now();  // declares missing queues
    listener_.on_event("broker.returned", returned.reason);
}

void Poster::take(const Declared& declared) {
    if (looks_ > 0) --looks_;
    {
        const MutexLock lock(mutex_);
        if (declared.queue == topology_.parked.name) state_.parked = declared.messages;
        if (declared.queue == topology_.unreadable.name) state_.unreadable = declared.messages;
        if (declared.queue != topology_.tickets.name) return;
        state_.messages = declared.messages;
        state_.writers = declared.consumers;
    }
    set_full(&Poster::is_long_, declared.messages >= options_.longest_queue,
             "as many messages wait as the queue may have");
}

void Poster::take(const Blocked& blocked) {
    set_full(&Poster::is_blocked_, true, blocked.reason);
}

void Poster::take(const Unblocked&) {
    set_full(&Poster::is_blocked_, false, "");
}

void Poster::set_full(bool Poster::* why, bool is_so, std::string_view reason) {
    {
        const MutexLock lock(mutex_);
        if (std::exchange(this->*why, is_so) == is_so) return;
    }
    if (is_so) next_look_ = std::min(next_look_, Clock::now() + kLookPaceWhenFull);
    listener_.on_event(is_so ? "broker.full" : "broker.has_room", reason);
}

/// Answers the posts whose time is over. They stay on the list: until the broker has answered them,
/// nothing more is posted.
void Poster::expire() {
    const auto now = Clock::now();
    std::vector<Answer> answers;
    for (auto& [number, sent] : sent_) {
        if (now < sent.deadline) break;
        const auto end = sent.deadline + kPatienceForLate * options_.confirm_within;
        if (now >= end && !is_blocked()) throw Lost("the broker does not confirm a message");
        if (sent.answer) answers.push_back(std::exchange(sent.answer, nullptr));
    }
    if (answers.empty()) return;
    late_ += answers.size();
    {
        const MutexLock lock(mutex_);
        const auto count = static_cast<std::int64_t>(answers.size());
        state_.unconfirmed -= count;
        state_.unanswered += static_cast<std::uint64_t>(count);
    }
    set_full(&Poster::is_late_, true, "the broker has not confirmed a message in time");
    for (auto& answer : answers) answer(false);
}

void Poster::look(Connection& connection) {
    if (looks_ > 0 || Clock::now() < next_look_) return;
    for (const auto* queue : topology_.all()) connection.look_at(*queue);
    looks_ = topology_.all().size();
    const MutexLock lock(mutex_);
    next_look_ =
        Clock::now() + (is_long_ ? kLookPaceWhenFull : std::chrono::milliseconds{kLookPace});
}

}  // namespace sluice::rabbitmq
