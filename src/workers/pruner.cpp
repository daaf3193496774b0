#include "workers/pruner.hpp"

#include <exception>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>

#include "base/check.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::minutes kPause{1};
constexpr std::size_t kBite = 500;

}  // namespace

Pruner::~Pruner() {
    CHECK(!running_, "the pruner is stopped before it is destroyed");
}

void Pruner::start(asio::io_context& loop) {
    CHECK(!running_, "the pruner runs once");
    next_round_.emplace(loop.get_executor());
    end_.emplace(loop.get_executor(), Timer::time_point::max());
    running_ = true;
    stopping_ = false;
    asio::co_spawn(loop.get_executor(), run(), [this](std::exception_ptr bug) {
        running_ = false;
        next_round_.reset();
        end_.reset();
        if (bug) std::rethrow_exception(bug);
    });
}

Task<> Pruner::stop() {
    if (!running_) co_return;
    stopping_ = true;
    next_round_->cancel();
    boost::system::error_code cancelled;
    while (running_) co_await end_->async_wait(asio::redirect_error(use_task, cancelled));
}

Task<> Pruner::run() {
    while (!stopping_) {
        try {
            co_await prune_once();
        } catch (const Outage&) {
            // The ledger's health tells of it, and nothing is lost by a round that is late.
        } catch (const Overload&) {
        }
        if (stopping_) co_return;
        next_round_->expires_after(kPause);
        boost::system::error_code cancelled;
        co_await next_round_->async_wait(asio::redirect_error(use_task, cancelled));
    }
}

Task<> Pruner::prune_once() {
    const auto now = clock_.now();
    while (!stopping_ && co_await sessions_.prune(now, kBite) == kBite) {
    }
    while (!stopping_ && co_await receipts_.prune(now - kReceiptLife, kBite) == kBite) {
    }
}

}  // namespace sluice
