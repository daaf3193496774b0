#pragma once

#include "adapters/redis/redis_code_box.hpp"
#include "adapters/redis/redis_counts.hpp"
#include "adapters/redis/redis_entry_desk.hpp"
#include "adapters/redis/redis_sessions.hpp"

namespace sluice::redis {

/// What several nodes share through Redis beside the hot copies. A hot tier returns `entry`,
/// `codes` and `counts`, keeps a MemorySessionStore on `sessions`, which is both its ledger and its
/// copies, and has two workers:
///
/// - tell(), ten times a second;
/// - catch_up(), each second.
///
/// When others change the ledger there is nothing to do: a node remembers a session for a moment
/// only.
struct RedisDesks {
    static constexpr std::chrono::milliseconds kTellPace{100};
    static constexpr std::chrono::seconds kCatchUpPace{1};

    RedisDesks(Client& client, SessionLedger& ledger, const Passes& passes, Random& random,
               const Clock& clock)
        : sessions(client, ledger, clock),
          entry(client, passes, random, clock),
          codes(client, clock),
          counts(client) {}

    /// Tells Redis which places have claimed. May throw Outage, and may be repeated then.
    Task<> tell() { return entry.tell_claims(); }
    /// Ends the copies of sessions that could not be ended when they should have been.
    Task<> catch_up() { return sessions.catch_up(); }

    RedisSessions sessions;
    RedisEntryDesk entry;
    RedisCodeBox codes;
    RedisCounts counts;
};

}  // namespace sluice::redis
