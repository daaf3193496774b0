#include "adapters/mariadb/engine/link.hpp"

#include <random>

namespace sluice::mariadb {
namespace {

using namespace std::chrono_literals;

constexpr Backoff kReconnect{.first = 50ms, .longest = 1'000ms};

}  // namespace

double chance() {
    thread_local std::minstd_rand random{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(random);
}

Connection& Link::open() {
    if (connection_.is_open()) return connection_;
    if (Clock::now() < next_try_) throw Error(last_code_, last_error_);
    try {
        connection_.connect();
        inspect_(connection_);
        failures_ = 0;
    } catch (const Error& error) {
        connection_.disconnect();
        last_code_ = error.code();
        last_error_ = error.what();
        next_try_ = Clock::now() + kReconnect.after(failures_++, chance());
        throw;
    }
    return connection_;
}

}  // namespace sluice::mariadb
