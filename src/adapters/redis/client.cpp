#include "adapters/redis/client.hpp"

#include <algorithm>
#include <optional>

#include "adapters/redis/link.hpp"
#include "base/check.hpp"

namespace sluice::redis {
namespace {

/// Collects the answers to several calls, until the last one is there.
struct Gathered {
    Completion<std::vector<Reply>> done;
    std::vector<Reply> replies;
    std::size_t missing = 0;
    std::exception_ptr failure;

    void note(std::size_t index, std::exception_ptr error, Reply reply) {
        if (error && !failure) failure = std::move(error);
        replies[index] = std::move(reply);
        if (--missing == 0) done(std::move(failure), std::move(replies));
    }
};

/// On the link's loop. A call that is refused at once is answered later, like the others.
void send_all(Link& link, std::vector<Call> calls, Completion<std::vector<Reply>> done) {
    auto gathered = std::make_shared<Gathered>();
    gathered->done = std::move(done);
    gathered->replies.resize(calls.size());
    gathered->missing = calls.size();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        try {
            link.send(std::move(calls[i]), [gathered, i](std::exception_ptr error, Reply reply) {
                gathered->note(i, std::move(error), std::move(reply));
            });
        } catch (...) {
            link.loop().post([gathered, i, error = std::current_exception()] {
                gathered->note(i, error, Reply{});
            });
        }
    }
}

}  // namespace

struct Client::Tls {
    std::optional<boost::asio::ssl::context> context;
};

Client::Client(Options options, const std::vector<AsioLoop*>& loops)
    : options_(std::move(options)), tls_(std::make_unique<Tls>()) {
    CHECK(!loops.empty() && !options_.places.empty(), "there is a loop and a place");
    if (options_.tls) tls_->context.emplace(make_tls(*options_.tls));
    auto* const context = tls_->context ? &*tls_->context : nullptr;
    for (auto* const loop : loops) {
        links_.push_back(std::make_shared<Link>(options_, context, *loop));
        loop->post([link = links_.back()] { link->start(); });
    }
}

Client::~Client() = default;

Task<Reply> Client::call(Call call) {
    std::vector<Call> one;
    one.push_back(std::move(call));
    auto replies = co_await call_all(std::move(one));
    co_return std::move(replies.front());
}

Task<std::vector<Reply>> Client::call_all(std::vector<Call> calls) {
    using Replies = std::vector<Reply>;
    if (calls.empty()) co_return Replies{};
    Executor& own = co_await own_executor();
    const auto near = std::ranges::find_if(
        links_, [&](const auto& each) { return static_cast<Executor*>(&each->loop()) == &own; });
    const bool is_near = near != links_.end();
    auto& link = is_near ? **near : *links_.front();
    if (is_near) {
        auto start = [&](Completion<Replies> done) {
            send_all(link, std::move(calls), std::move(done));
        };
        auto replies = co_await await_own_loop<Replies>(std::move(start));
        co_return replies;
    }
    auto start = [&](Completion<Replies> done) {
        link.loop().post([&link, calls = std::move(calls), done = std::move(done)]() mutable {
            send_all(link, std::move(calls), std::move(done));
        });
    };
    auto replies = co_await await_completion<Replies>(std::move(start));
    co_return replies;
}

std::vector<LinkHealth> Client::health() const {
    std::vector<LinkHealth> all;
    all.reserve(links_.size());
    for (const auto& link : links_) all.push_back(link->health());
    return all;
}

void Client::leave(const AsioLoop& loop) {
    for (const auto& link : links_)
        if (&link->loop() == &loop) link->stop([] {});
}

Task<> Client::stop(AsioLoop& loop) {
    for (const auto& link : links_) {
        if (&link->loop() != &loop) continue;
        auto start = [&](Completion<Done> done) {
            loop.post([link, done = std::move(done)]() mutable {
                link->stop([done = std::move(done)]() mutable { done(nullptr, Done{}); });
            });
        };
        co_await await_completion<Done>(std::move(start));
    }
}

Task<> Client::stop() {
    for (const auto& link : links_) co_await stop(link->loop());
}

}  // namespace sluice::redis
