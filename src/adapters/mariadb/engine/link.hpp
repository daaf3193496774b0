#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "adapters/mariadb/engine/connection.hpp"
#include "base/backoff.hpp"

namespace sluice::mariadb {

/// From 0 to 1, for pauses of random length.
double chance();

/// A connection that is opened again after a loss. After a failed try, the next one is made after a
/// pause, which grows and is partly random; calls meanwhile fail at once.
class Link {
  public:
    /// Called with each new connection before its use. Throws Error.
    using Inspect = void (*)(Connection&);

    Link(
        const ServerAddress& address, Patience patience, Inspect inspect = [](Connection&) {})
        : connection_(address, patience), inspect_(inspect) {}

    /// The connection, open as far as is known without asking. Throws Error.
    Connection& open();

    /// The connection, open or not.
    Connection& connection() { return connection_; }

    /// Calls begin(connection), the first step of a transaction, and once more on a new connection
    /// if the old one turns out to be lost: a server that was restarted has ended it without
    /// notice.
    template <class Begin>
    Connection& open_with(Begin begin) {
        const bool may_be_stale = connection_.is_open();
        const auto began = Clock::now();
        try {
            begin(open());
        } catch (const Error& error) {
            // If the server is silent, a second try would only wait once more.
            const bool silent = Clock::now() - began > kSoon;
            if (!may_be_stale || silent || !error.is_lost()) throw;
            begin(open());
        }
        return connection_;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kSoon{500};

    Connection connection_;
    const Inspect inspect_;
    std::int64_t failures_ = 0;
    Clock::time_point next_try_{};
    unsigned last_code_ = 0;
    std::string last_error_;
};

}  // namespace sluice::mariadb
