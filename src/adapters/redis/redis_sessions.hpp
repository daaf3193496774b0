#pragma once

#include <atomic>
#include <set>
#include <string>

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/session_copies.hpp"
#include "ports/session_ledger.hpp"

namespace sluice::redis {

/// Sessions for several nodes: copies in Redis, in front of the ledger. A look-up costs one round
/// trip to Redis, and the ledger is asked about a session once a minute; so changes that a command
/// makes, or that are made while Redis is away, are seen within a minute. While the ledger is away,
/// sessions with a copy go on and are extended. While Redis is away, the ledger is asked.
///
/// A node remembers what it has looked up in a MemorySessionStore, which uses this as its `ledger`
/// and its `copies`. It needs no news of the ledger's commits.
class RedisSessions final : public SessionLedger, public SessionCopies {
  public:
    /// How long a node may remember a session: within that time it sees a log-out, a new role or a
    /// second factor. Longer while Redis is away, since each look-up then costs the ledger a read.
    static constexpr std::chrono::seconds kFreshness{2};
    static constexpr std::chrono::seconds kFreshnessWithoutCopies{15};
    /// How long the ledger is not asked again after a failure, about sessions that have a copy.
    static constexpr std::chrono::seconds kLedgerPause{5};

    RedisSessions(Client& client, SessionLedger& ledger, const Clock& clock)
        : client_(client), keys_(client.options().prefix), ledger_(ledger), clock_(clock) {}

    Task<std::optional<Session>> add(OpenedSession opened) override;
    Task<std::optional<Session>> find(SessionKey key, Timestamp now) override;
    Task<std::vector<SessionKey>> extend(std::vector<Extension> extensions) override;
    Task<Done> remove(SessionKey key) override { return ledger_.remove(key); }
    Task<std::vector<SessionKey>> keys_of(UserId user) override { return ledger_.keys_of(user); }
    Task<std::vector<SessionKey>> remove_all(UserId user, std::optional<Deed> deed) override {
        return ledger_.remove_all(user, std::move(deed));
    }
    Task<std::size_t> prune(Timestamp now, std::size_t limit) override {
        return ledger_.prune(now, limit);
    }

    Task<Done> drop(std::vector<SessionKey> changed) override;
    std::chrono::milliseconds freshness() const override;

    /// Drops what could not be dropped at the time of its change. To be called each second.
    Task<> catch_up();

  private:
    struct Copy {
        std::string token;  // empty: there is none
        std::optional<Session> session;
        bool is_checked = false;  // the ledger was asked a short time ago
    };
    static constexpr std::size_t kMostUndropped = 100'000;

    Task<std::optional<Copy>> look(SessionKey key);
    Task<std::optional<Session>> ask_ledger(SessionKey key, Timestamp now, Copy copy);
    Task<Done> put(SessionKey key, std::string seen, Session session);
    Task<bool> run_all(std::vector<Call> calls);
    std::string millis_to_live(Timestamp expires_at) const;

    Client& client_;
    const Keys keys_;
    SessionLedger& ledger_;
    const Clock& clock_;
    std::atomic<bool> is_away_ = false;
    std::atomic<std::chrono::steady_clock::time_point> ledger_paused_until_{};

    Mutex mutex_;
    std::set<SessionKey> undropped_ GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
