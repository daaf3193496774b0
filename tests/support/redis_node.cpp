#include "support/redis_node.hpp"

#include <future>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>

#include "base/asio_loop.hpp"
#include "base/run_to_end.hpp"

namespace sluice::testing_support {

struct RedisNode::Parts {
    Parts(const redis::Options& options, const redis::Options& to_follow, StockSignals* signals)
        : client(options, {&loop}),
          following(to_follow, {&loop}),
          gate(client, following, signals) {
        loop.post([this] {
            start_task(loop, gate.follow(),
                       [this](const std::exception_ptr&) { has_followed.set_value(); });
        });
    }
    ~Parts() {
        loop.post([this] { gate.stop_following(); });
        run_to_end(following.stop());
        has_followed.get_future().wait();
        run_to_end(client.stop());
        work.reset();
    }

    boost::asio::io_context context;
    AsioLoop loop{context};
    boost::asio::executor_work_guard<AsioExecutor> work{context.get_executor()};
    redis::Client client, following;
    redis::RedisStockGate gate;
    std::promise<void> has_followed;
    std::jthread thread{[this] { context.run(); }};
};

RedisNode::RedisNode(const redis::Options& options, const redis::Options& following,
                     StockSignals* signals)
    : parts_(std::make_unique<Parts>(options, following, signals)) {}

RedisNode::~RedisNode() = default;

redis::RedisStockGate& RedisNode::gate() {
    return parts_->gate;
}

redis::Client& RedisNode::client() {
    return parts_->client;
}

redis::Reply RedisNode::ask(std::vector<std::string> words) {
    return run_to_end(client().call({.script = nullptr, .words = std::move(words)}));
}

bool eventually(const std::function<bool()>& is_so) {
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!is_so()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        Nap nap;
        run_to_end(nap.sleep(5ms));
    }
    return true;
}

}  // namespace sluice::testing_support
