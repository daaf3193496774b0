#pragma once

#include <functional>
#include <map>

#include "base/outage.hpp"
#include "ports/session_ledger.hpp"

namespace sluice::testing_support {

/// Remembers what it is told and counts how often it is asked.
class SessionRows final : public SessionLedger {
  public:
    Task<std::optional<Session>> add(OpenedSession opened) override {
        if (during_find) during_find();
        if (opened.password_hash != "hash") co_return std::nullopt;
        network = opened.network;
        rows[opened.key] = {opened.user,       "Li",           role,
                            opened.expires_at, opened.ends_at, opened.strong};
        co_return rows[opened.key];
    }
    Task<std::optional<Session>> find(SessionKey key, Timestamp now) override {
        ++finds;
        if (during_find) during_find();
        if (away) throw Outage("away");
        const auto at = rows.find(key);
        if (at == rows.end() || at->second.expires_at <= now) co_return std::nullopt;
        co_return at->second;
    }
    Task<std::vector<SessionKey>> extend(std::vector<Extension> extensions) override {
        if (away) throw Outage("away");
        std::vector<SessionKey> gone;
        for (const auto& extension : extensions)
            if (const auto at = rows.find(extension.key); at != rows.end())
                at->second.expires_at = extension.expires_at;
            else
                gone.push_back(extension.key);
        co_return gone;
    }
    Task<Done> remove(SessionKey key) override {
        rows.erase(key);
        co_return Done{};
    }
    Task<std::vector<SessionKey>> keys_of(UserId user) override {
        std::vector<SessionKey> keys;
        for (const auto& [key, session] : rows)
            if (session.user_id == user) keys.push_back(key);
        co_return keys;
    }
    Task<std::vector<SessionKey>> remove_all(UserId user, std::optional<Deed>) override {
        const auto keys = co_await keys_of(user);
        for (const auto& key : keys) rows.erase(key);
        co_return keys;
    }
    Task<std::size_t> prune(Timestamp, std::size_t) override { co_return 0; }

    std::map<SessionKey, Session> rows;
    Role role = Role::buyer;
    std::optional<Network> network;  // of the session that was added last
    int finds = 0;
    bool away = false;
    std::function<void()> during_find;
};

}  // namespace sluice::testing_support
