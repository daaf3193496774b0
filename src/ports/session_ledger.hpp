#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/address.hpp"
#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

struct Session {
    UserId user_id;
    std::string name;
    Role role = Role::buyer;
    Timestamp expires_at;
    Timestamp ends_at{};  // for good: it is never extended beyond
    bool strong = false;  // a second factor was shown
};

/// What a log-in creates.
struct OpenedSession {
    SessionKey key{};
    UserId user;
    std::string password_hash;  // that was checked
    Timestamp expires_at;
    Timestamp ends_at;
    bool strong = false;
    std::optional<Network> network{};  // where the log-in came from: a household, if known
};

/// The stored sessions. May throw Outage, as UserLedger.
class SessionLedger {
  public:
    virtual ~SessionLedger() = default;

    /// Only if the user's password hash is still the one that was checked: nullopt when it has been
    /// changed since. The session has the user's present name and role.
    virtual Task<std::optional<Session>> add(OpenedSession opened) = 0;

    /// With the user's present name and role; nullopt when unknown or expired at `now`.
    virtual Task<std::optional<Session>> find(SessionKey key, Timestamp now) = 0;

    struct Extension {
        SessionKey key;
        Timestamp expires_at;
    };
    /// Moves expiries later, never earlier and never beyond a session's end; returns the keys of
    /// sessions that do not exist any more.
    virtual Task<std::vector<SessionKey>> extend(std::vector<Extension> extensions) = 0;

    virtual Task<Done> remove(SessionKey key) = 0;

    virtual Task<std::vector<SessionKey>> keys_of(UserId user) = 0;

    /// All sessions of the user; returns their keys. With a deed if somebody else ends them.
    virtual Task<std::vector<SessionKey>> remove_all(UserId user, std::optional<Deed> deed) = 0;

    /// Removes at most `limit` sessions that had expired at `now`; returns how many.
    virtual Task<std::size_t> prune(Timestamp now, std::size_t limit) = 0;
};

}  // namespace sluice
