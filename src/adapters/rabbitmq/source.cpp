#include "adapters/rabbitmq/source.hpp"

#include <utility>

#include <pthread.h>

#include "adapters/rabbitmq/acknowledgements.hpp"
#include "adapters/rabbitmq/codec.hpp"

namespace sluice::rabbitmq {
namespace {

using namespace std::chrono_literals;

constexpr auto kBeat = 1s;  // the library sends heartbeats only when it is called
constexpr auto kLong = 1h;  // nothing to do until somebody rings

}  // namespace

Source::Source(const char* thread, const Queue& queue, const Options& options,
               const Topology& topology, Poster& poster, const Listener& listener)
    : queue_(queue),
      options_(options),
      topology_(topology),
      poster_(poster),
      listener_(listener),
      attempts_(options) {
    thread_ = std::thread([this, title = std::string(thread).substr(0, 15)] {
        pthread_setname_np(pthread_self(), title.c_str());
        run();
    });
}

Source::~Source() {
    stop();
}

void Source::stop() {
    {
        const MutexLock lock(mutex_);
        is_stopping_ = true;
    }
    wake_up_.ring();
    if (thread_.joinable()) thread_.join();
}

Task<std::vector<TicketSource::Delivery>> Source::take(std::size_t most) {
    std::vector<Delivery> taken;
    bool was_wanted = true;
    {
        const MutexLock lock(mutex_);
        was_wanted = std::exchange(is_wanted_, true);
        std::size_t tickets = 0;
        while (!arrived_.empty()) {
            tickets += arrived_.front().tickets.size();
            if (!taken.empty() && tickets > most) break;
            taken.push_back(std::move(arrived_.front()));
            arrived_.pop_front();
        }
    }
    if (!was_wanted) wake_up_.ring();
    co_return taken;
}

Task<Done> Source::acknowledge(std::vector<std::uint64_t> tags) {
    {
        const MutexLock lock(mutex_);
        for (const auto tag : tags) {
            const auto at = open_.find(tag);
            if (at == open_.end()) continue;  // of a connection that has ended
            done_.insert(at->second);
            open_.erase(at);
        }
    }
    wake_up_.ring();
    co_return Done{};
}

Task<Done> Source::give_back() {
    {
        const MutexLock lock(mutex_);
        is_wanted_ = false;
        must_leave_ = true;
        arrived_.clear();
        open_.clear();
    }
    wake_up_.ring();
    co_return Done{};
}

Task<bool> Source::park(Ticket ticket, std::string reason) {
    auto start = [&](Completion<bool> resume) {
        poster_.send(
            topology_.parked, {encode({&ticket, 1}), std::string(kContentType), std::move(reason)},
            [resume = std::move(resume)](bool is_kept) mutable { resume(nullptr, is_kept); });
    };
    co_return co_await await_completion<bool>(std::move(start));
}

bool Source::is_wanted() const {
    const MutexLock lock(mutex_);
    return is_wanted_ && !is_stopping_;
}

bool Source::is_stopping() const {
    const MutexLock lock(mutex_);
    return is_stopping_;
}

void Source::run() {
    while (!is_stopping()) {
        if (!is_wanted()) {
            wake_up_.wait(-1, kLong);
            continue;
        }
        const auto& host = attempts_.next();
        try {
            forget();
            Connection connection(options_, host);
            for (const auto* queue : topology_.all()) connection.declare(*queue);
            connection.consume(queue_, options_.prefetch);
            attempts_.succeed();
            problem_.clear();
            serve(connection);
            forget();
        } catch (const Lost& lost) {
            forget();
            if (std::exchange(problem_, lost.what()) != lost.what())
                listener_.on_event("broker.source_away", problem_);
            if (!is_stopping()) wake_up_.wait(-1, attempts_.pause());
        }
    }
}

void Source::serve(Connection& connection) {
    heard_at_ = Clock::now();
    for (;;) {
        hear(connection);
        if (!say(connection) || is_quiet()) {
            connection.close();
            return;
        }
        wake_up_.wait(connection.socket(), kBeat);
    }
}

bool Source::say(Connection& connection) {
    std::set<std::uint64_t> done;
    bool goes_on = true;
    std::string failure;
    {
        const MutexLock lock(mutex_);
        done = std::exchange(done_, {});
        goes_on = is_wanted_ && !must_leave_ && !is_stopping_;
        failure = std::exchange(failure_, {});
    }
    for (const auto& [tag, is_multiple] : acknowledge_all(unacknowledged_, done))
        connection.acknowledge(tag, is_multiple);
    if (!failure.empty()) throw Lost(failure);
    return goes_on;
}

/// A queue that was deleted and made anew does not deliver to its former consumers, and the broker
/// does not report that. So a source that gets nothing for a while subscribes again.
bool Source::is_quiet() const {
    return unacknowledged_.empty() && Clock::now() - heard_at_ >= options_.renew_when_quiet;
}

void Source::hear(Connection& connection) {
    bool has_arrived = false;
    while (auto event = connection.next()) {
        auto* const delivered = std::get_if<Delivered>(&*event);
        if (!delivered) continue;
        if (delivered->is_again) ++redelivered_;
        unacknowledged_.insert(delivered->tag);
        keep(std::move(*delivered));
        has_arrived = true;
    }
    if (!has_arrived) return;
    heard_at_ = Clock::now();
    listener_.on_arrival();
}

void Source::keep(Delivered delivered) {
    if (delivered.message.content_type != kContentType) {
        auto why = "its content type is \"" + delivered.message.content_type + '"';
        return set_aside(std::move(delivered), why);
    }
    auto tickets = decode(delivered.message.body);
    if (!tickets) return set_aside(std::move(delivered), tickets.error());
    const MutexLock lock(mutex_);
    if (!is_wanted_ || must_leave_) return;  // not acknowledged, so it is given back
    open_.emplace(++tags_, delivered.tag);
    arrived_.push_back({tags_, *std::move(tickets), std::move(delivered.message.reason)});
}

void Source::set_aside(Delivered delivered, const std::string& why) {
    listener_.on_event("broker.unreadable", why);
    std::uint64_t generation = 0;
    {
        const MutexLock lock(mutex_);
        generation = generation_;
    }
    delivered.message.reason = why;
    poster_.send(topology_.unreadable, std::move(delivered.message),
                 [this, generation, tag = delivered.tag](bool is_kept) {
                     set_aside_answered(generation, tag, is_kept);
                 });
}

void Source::set_aside_answered(std::uint64_t generation, std::uint64_t broker_tag, bool is_kept) {
    {
        const MutexLock lock(mutex_);
        if (generation != generation_) return;  // it is delivered again
        if (is_kept)
            done_.insert(broker_tag);
        else
            failure_ = "an unreadable message could not be set aside";
    }
    wake_up_.ring();
}

/// Forgets what the ended connection had.
void Source::forget() {
    unacknowledged_.clear();
    const MutexLock lock(mutex_);
    ++generation_;
    must_leave_ = false;
    arrived_.clear();
    open_.clear();
    done_.clear();
    failure_.clear();
}

}  // namespace sluice::rabbitmq
