#include "adapters/memory/memory_session_store.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::size_t kMaxAbsentPerShard = 4096;
constexpr std::size_t kMaxExtensionsPerShard = 65'536;

}  // namespace

MemorySessionStore::MemorySessionStore(SessionLedger& ledger,
                                       std::chrono::milliseconds session_length,
                                       std::size_t max_sessions)
    : ledger_(ledger),
      length_(session_length),
      max_per_shard_(std::max<std::size_t>(max_sessions / kShards, 1)) {}

std::optional<Caller> MemorySessionStore::peek(const SessionKey& key, Timestamp now) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto at = shard.sessions.find(key);
    if (at == shard.sessions.end()) return std::nullopt;
    if (at->second.caller.session_expires_at <= now) {
        shard.sessions.erase(at);
        return std::nullopt;
    }
    slide(shard, key, at->second, now);
    return at->second.caller;
}

Task<std::optional<Caller>> MemorySessionStore::find(SessionKey key, Timestamp now) {
    if (auto caller = peek(key, now)) co_return caller;
    auto caller = co_await fetch(key, now, true);
    co_return caller;
}

Task<bool> MemorySessionStore::lives(SessionKey key, Timestamp now) {
    {
        Shard& shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        const auto at = shard.sessions.find(key);
        if (at != shard.sessions.end()) co_return at->second.caller.session_expires_at > now;
    }
    const auto caller = co_await fetch(key, now, false);
    co_return caller.has_value();
}

Task<std::optional<Caller>> MemorySessionStore::fetch(SessionKey key, Timestamp now, bool slides) {
    Shard& shard = shard_of(key);
    std::uint64_t generation = 0;
    {
        const std::lock_guard lock(shard.mutex);
        if (shard.absent.contains(key)) co_return std::nullopt;
        generation = shard.generation;
    }
    const auto session = co_await ledger_.find(key, now);

    const std::lock_guard lock(shard.mutex);
    // Closed or changed while we were reading: what was read may be old. It answers this request,
    // which came before the change, but is not kept.
    const bool current = shard.generation == generation;
    if (!session) {
        if (shard.absent.size() >= kMaxAbsentPerShard) shard.absent.clear();
        if (current) shard.absent.insert(key);
        co_return std::nullopt;
    }
    Entry entry = entry_of(key, *session);
    if (slides) slide(shard, key, entry, now);
    Caller caller = entry.caller;
    if (current) {
        make_room(shard);
        shard.sessions.insert_or_assign(key, std::move(entry));
    }
    co_return caller;
}

Task<std::optional<Caller>> MemorySessionStore::open(SessionKey key, UserId user,
                                                     std::string password_hash, Timestamp now) {
    Shard& shard = shard_of(key);
    std::uint64_t generation = 0;
    {
        const std::lock_guard lock(shard.mutex);
        generation = shard.generation;
    }
    const auto session = co_await ledger_.add(key, user, std::move(password_hash), now + length_);
    if (!session) co_return std::nullopt;
    const std::lock_guard lock(shard.mutex);
    Entry entry = entry_of(key, *session);
    Caller caller = entry.caller;
    if (shard.generation == generation) {
        make_room(shard);
        shard.sessions.insert_or_assign(key, std::move(entry));
    }
    co_return caller;
}

Task<Done> MemorySessionStore::close(SessionKey key) {
    co_await ledger_.remove(key);
    forget(key);
    co_return Done{};
}

Task<Done> MemorySessionStore::close_all(UserId user) {
    const auto keys = co_await ledger_.remove_all(user);
    for (const auto& key : keys) forget(key);
    co_return Done{};
}

Task<Done> MemorySessionStore::refresh(UserId user) {
    const auto keys = co_await ledger_.keys_of(user);
    for (const auto& key : keys) forget(key);
    co_return Done{};
}

void MemorySessionStore::forget(const SessionKey& key) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    shard.sessions.erase(key);
    ++shard.generation;
}

Task<> MemorySessionStore::write_extensions() {
    for (Shard& shard : shards_) {
        std::vector<SessionLedger::Extension> extensions;
        {
            const std::lock_guard lock(shard.mutex);
            extensions.swap(shard.extensions);
        }
        if (extensions.empty()) continue;
        auto kept = extensions;
        std::exception_ptr failure;
        try {
            co_await ledger_.extend(std::move(extensions));
        } catch (...) {
            failure = std::current_exception();
        }
        if (!failure) continue;
        {
            const std::lock_guard lock(shard.mutex);
            shard.extensions.insert(shard.extensions.end(), kept.begin(), kept.end());
        }
        std::rethrow_exception(failure);
    }
}

void MemorySessionStore::forget_all() {
    for (Shard& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        shard.sessions.clear();
        shard.absent.clear();
        ++shard.generation;
    }
}

MemorySessionStore::Entry MemorySessionStore::entry_of(const SessionKey& key,
                                                       const Session& session) {
    return {.caller = {.session = key,
                       .id = session.user_id,
                       .name = std::make_shared<const std::string>(session.name),
                       .role = session.role,
                       .session_expires_at = session.expires_at},
            .written_expiry = session.expires_at};
}

void MemorySessionStore::slide(Shard& shard, const SessionKey& key, Entry& entry, Timestamp now) {
    const Timestamp expires_at = now + length_;
    // Minted sessions may last longer than a usual one: never make it shorter.
    if (expires_at <= entry.caller.session_expires_at) return;
    entry.caller.session_expires_at = expires_at;
    if (expires_at - entry.written_expiry < kUnwritten) return;
    if (shard.extensions.size() >= kMaxExtensionsPerShard) return;
    shard.extensions.push_back({key, expires_at});
    entry.written_expiry = expires_at;
}

void MemorySessionStore::make_room(Shard& shard) {
    if (shard.sessions.size() < max_per_shard_) return;
    // Whoever is dropped is found in the ledger again. An arbitrary sixteenth, so that this is
    // seldom.
    auto victims = shard.sessions.size() / 16 + 1;
    for (auto at = shard.sessions.begin(); at != shard.sessions.end() && victims > 0; --victims)
        shard.sessions.erase(at++);
}

}  // namespace sluice
