#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/address.hpp"
#include "base/task.hpp"
#include "domain/caller.hpp"
#include "domain/session_token.hpp"

namespace sluice {

/// How long sessions last, and what sessions of staff need.
struct SessionTerms {
    std::chrono::milliseconds length = std::chrono::minutes{30};  // since the last request
    std::chrono::milliseconds longest = std::chrono::days{30};    // since the log-in
    bool staff_need_second_factor = false;
};

/// Who is logged in. Every request asks this. Each successful look-up moves the session's expiry to
/// a full session length from now, but never beyond its end. May be called from any event loop.
///
/// Where several nodes share the sessions, "gone" and "from now on" below mean: on this node at
/// once, and on each other node within a short time that the adapter states.
class SessionStore {
  public:
    virtual ~SessionStore() = default;

    /// From memory, without waiting; nullopt does not mean that the session does not exist.
    virtual std::optional<Caller> peek(const TokenHandle& handle, Timestamp now) = 0;

    /// From wherever sessions are kept; nullopt: there is no such session at `now`. May throw
    /// Outage.
    virtual Task<std::optional<Caller>> find(SessionName name, Timestamp now) = 0;

    /// Whether there is such a session at `now`, without moving its end. May throw Outage.
    virtual Task<bool> lives(SessionKey key, Timestamp now) = 0;

    /// Moves its end as a look-up would, if it is in memory; without waiting.
    virtual void touch(const SessionKey& key, Timestamp now) = 0;

    /// For an account whose password has just been checked; `strong`: and its second factor.
    struct Proven {
        UserId user;
        std::string password_hash;
        bool strong = false;
        std::optional<Network> network{};  // as in OpenedSession
    };
    /// Durable once it returns; nullopt when the password has been changed since. May throw Outage.
    virtual Task<std::optional<Caller>> open(SessionName name, Proven who, Timestamp now) = 0;

    /// The session is gone for good once it returns; a second close has no effect. May throw
    /// Outage.
    virtual Task<Done> close(SessionKey key) = 0;

    /// The ledger has ended these: they are gone for good once it returns.
    virtual Task<Done> forget(std::vector<SessionKey> ended) = 0;

    /// The name of a session's user; empty when the session has ended at `now`. May throw Outage.
    virtual Task<std::string> user_name(SessionKey key, Timestamp now) = 0;

    /// All sessions of the user, those on other devices too. May throw Outage.
    virtual Task<Done> close_all(UserId user) = 0;

    /// The user was changed: their sessions have the change from now on. May throw Outage.
    virtual Task<Done> refresh(UserId user) = 0;
};

}  // namespace sluice
