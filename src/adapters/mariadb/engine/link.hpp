#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "adapters/mariadb/engine/connection.hpp"
#include "base/backoff.hpp"

namespace sluice::mariadb {

/// From 0 to 1, for pauses that are not to be the same for everybody.
double chance();

/// A connection that comes back. After a try that failed, the next one is made after a pause, which
/// grows and is partly left to chance; who asks meanwhile is told at once.
class Link {
  public:
    Link(const ServerAddress& address, Patience patience) : connection_(address, patience) {}

    /// Open, as far as can be known without asking. Throws Error.
    Connection& open();

    /// As it is.
    Connection& connection() { return connection_; }

    /// Calls begin(connection), the first thing of a transaction, and again on a new connection
    /// when the old one turns out to be gone: a server that was restarted has ended it in silence.
    template <class Begin>
    Connection& open_with(Begin begin) {
        const bool may_be_stale = connection_.is_open();
        const auto began = Clock::now();
        try {
            begin(open());
        } catch (const Error& error) {
            // A server that is silent would only be waited for a second time.
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
    std::int64_t failures_ = 0;
    Clock::time_point next_try_{};
    unsigned last_code_ = 0;
    std::string last_error_;
};

}  // namespace sluice::mariadb
