#include "adapters/memory/memory_session_store.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::size_t kMaxAbsentPerIndex = 4096;
constexpr std::size_t kMaxExtensionsPerShard = 65'536;
constexpr std::chrono::minutes kLongestFreshness{1};

}  // namespace

MemorySessionStore::MemorySessionStore(SessionLedger& ledger, SessionTerms terms,
                                       std::size_t max_sessions, SessionCopies* copies)
    : ledger_(ledger),
      copies_(copies),
      terms_(terms),
      unwritten_(std::min<std::chrono::milliseconds>(kUnwritten, terms.length / 4)),
      max_per_index_(std::max<std::size_t>(max_sessions / kShards, 1)) {}

std::optional<Caller> MemorySessionStore::peek(const TokenHandle& handle, Timestamp now) {
    Shard& shard = shard_of(handle);
    const MutexLock lock(shard.mutex);
    const auto at = shard.sessions.find(handle);
    if (at == shard.sessions.end() || at->second.caller.session_expires_at <= now)
        return std::nullopt;
    if (copies_ && !is_known(at->second.known_until, now)) return std::nullopt;
    slide(shard, at->second, now);
    return at->second.caller;
}

Task<std::optional<Caller>> MemorySessionStore::find(SessionName name, Timestamp now) {
    if (auto caller = peek(name.handle, now)) co_return caller;
    Index& index = index_of(name.key);
    std::uint64_t generation = 0;
    {
        const MutexLock lock(index.mutex);
        if (is_absent(index, name.key, now)) co_return std::nullopt;
        generation = index.generation;
    }
    const auto session = co_await ledger_.find(name.key, now);
    if (!session) {
        const MutexLock lock(index.mutex);
        if (index.generation == generation) note_absent(index, name.key, now);
        co_return std::nullopt;
    }
    Entry entry = entry_of(name.key, *session, now);
    {
        Shard& shard = shard_of(name.handle);
        const MutexLock lock(shard.mutex);
        slide(shard, entry, now);
    }
    const MutexLock lock(index.mutex);
    // Closed or changed while we were reading, so what was read may be old. It answers this
    // request, which came before the change, but is not kept.
    if (index.generation == generation) keep(index, name, *session, entry);
    co_return entry.caller;
}

Task<bool> MemorySessionStore::lives(SessionKey key, Timestamp now) {
    Index& index = index_of(key);
    std::uint64_t generation = 0;
    {
        const MutexLock lock(index.mutex);
        const auto at = index.named.find(key);
        if (at != index.named.end() && is_known(at->second.known_until, now) &&
            expiry_of(at->second) > now)
            co_return true;
        if (is_absent(index, key, now)) co_return false;
        generation = index.generation;
    }
    const auto session = co_await ledger_.find(key, now);
    const MutexLock lock(index.mutex);
    if (index.generation != generation) co_return session.has_value();
    if (!session) {
        note_absent(index, key, now);
        co_return false;
    }
    keep_alive(index, key, *session, now);
    co_return true;
}

/// It was looked up by its key only, without its token.
void MemorySessionStore::keep_alive(Index& index, const SessionKey& key, const Session& session,
                                    Timestamp now) {
    const auto at = index.named.find(key);
    if (copies_ && at != index.named.end() && at->second.handle) {
        // A request with its token came before: this is the same session, looked up once more.
        at->second.known_until = known_until(now);
        Shard& shard = shard_of(*at->second.handle);
        const MutexLock lock(shard.mutex);
        const auto mine = shard.sessions.find(*at->second.handle);
        if (mine != shard.sessions.end()) {
            const auto used_until = mine->second.caller.session_expires_at;
            mine->second = entry_of(key, session, now);
            auto& expires_at = mine->second.caller.session_expires_at;
            expires_at = std::max(expires_at, used_until);
            return;
        }
    }
    drop(index, key);
    make_room(index);
    index.named.try_emplace(key, Named{{}, session.name, session.expires_at, known_until(now)});
}

void MemorySessionStore::touch(const SessionKey& key, Timestamp now) {
    Index& index = index_of(key);
    const MutexLock lock(index.mutex);
    const auto at = index.named.find(key);
    if (at == index.named.end() || !at->second.handle) return;
    Shard& shard = shard_of(*at->second.handle);
    const MutexLock entry_lock(shard.mutex);
    const auto mine = shard.sessions.find(*at->second.handle);
    if (mine != shard.sessions.end() && mine->second.caller.session_expires_at > now)
        slide(shard, mine->second, now);
}

Task<std::optional<Caller>> MemorySessionStore::open(SessionName name, Proven who, Timestamp now) {
    Index& index = index_of(name.key);
    std::uint64_t generation = 0;
    {
        const MutexLock lock(index.mutex);
        generation = index.generation;
    }
    OpenedSession opened{.key = name.key,
                         .user = who.user,
                         .password_hash = std::move(who.password_hash),
                         .expires_at = now + std::min(terms_.length, terms_.longest),
                         .ends_at = now + terms_.longest,
                         .strong = who.strong,
                         .network = who.network};
    const auto session = co_await ledger_.add(std::move(opened));
    if (!session) co_return std::nullopt;
    const auto entry = entry_of(name.key, *session, now);
    const MutexLock lock(index.mutex);
    if (index.generation == generation) keep(index, name, *session, entry);
    co_return entry.caller;
}

Task<std::string> MemorySessionStore::user_name(SessionKey key, Timestamp now) {
    Index& index = index_of(key);
    {
        const MutexLock lock(index.mutex);
        const auto at = index.named.find(key);
        if (at != index.named.end()) co_return at->second.user;
    }
    auto session = co_await ledger_.find(key, now);
    if (!session) co_return std::string{};
    co_return std::move(session->name);
}

Task<Done> MemorySessionStore::close(SessionKey key) {
    co_await ledger_.remove(key);
    std::vector<SessionKey> one{key};
    co_return co_await forget_everywhere(std::move(one));
}

Task<Done> MemorySessionStore::close_all(UserId user) {
    auto keys = co_await ledger_.remove_all(user, std::nullopt);
    co_return co_await forget_everywhere(std::move(keys));
}

Task<Done> MemorySessionStore::refresh(UserId user) {
    auto keys = co_await ledger_.keys_of(user);
    co_return co_await forget_everywhere(std::move(keys));
}

Task<Done> MemorySessionStore::forget(std::vector<SessionKey> ended) {
    return forget_everywhere(std::move(ended));
}

Task<Done> MemorySessionStore::forget_everywhere(std::vector<SessionKey> keys) {
    // The copies are changed first: a look-up that comes after our own memory was cleared must not
    // find the old copy.
    if (copies_ && !keys.empty()) co_await copies_->drop(keys);
    for (const auto& key : keys) forget(key);
    co_return Done{};
}

void MemorySessionStore::keep(Index& index, const SessionName& name, const Session& session,
                              const Entry& entry) {
    make_room(index);
    index.named.insert_or_assign(
        name.key, Named{name.handle, session.name, session.expires_at, entry.known_until});
    Shard& shard = shard_of(name.handle);
    const MutexLock lock(shard.mutex);
    shard.sessions.insert_or_assign(name.handle, entry);
}

bool MemorySessionStore::is_absent(Index& index, const SessionKey& key, Timestamp now) {
    if (!is_known(index.absent_until, now)) index.absent.clear();
    return index.absent.contains(key);
}

void MemorySessionStore::note_absent(Index& index, const SessionKey& key, Timestamp now) {
    if (index.absent.size() >= kMaxAbsentPerIndex) index.absent.clear();
    if (index.absent.empty()) index.absent_until = known_until(now);
    index.absent.insert(key);
    drop(index, key);
}

void MemorySessionStore::forget(const SessionKey& key) {
    Index& index = index_of(key);
    const MutexLock lock(index.mutex);
    ++index.generation;
    drop(index, key);
}

void MemorySessionStore::drop(Index& index, const SessionKey& key) {
    const auto at = index.named.find(key);
    if (at == index.named.end()) return;
    erase(at->second);
    index.named.erase(at);
}

void MemorySessionStore::erase(const Named& named) {
    if (!named.handle) return;
    Shard& shard = shard_of(*named.handle);
    const MutexLock lock(shard.mutex);
    shard.sessions.erase(*named.handle);
}

Timestamp MemorySessionStore::expiry_of(const Named& named) {
    if (!named.handle) return named.expires_at;
    Shard& shard = shard_of(*named.handle);
    const MutexLock lock(shard.mutex);
    const auto at = shard.sessions.find(*named.handle);
    return at == shard.sessions.end() ? named.expires_at : at->second.caller.session_expires_at;
}

Task<> MemorySessionStore::write_extensions() {
    for (Shard& shard : shards_) {
        std::vector<SessionLedger::Extension> extensions;
        {
            const MutexLock lock(shard.mutex);
            extensions.swap(shard.extensions);
        }
        if (extensions.empty()) continue;
        auto kept = extensions;
        std::exception_ptr failure;
        try {
            const auto gone = co_await ledger_.extend(std::move(extensions));
            for (const auto& key : gone) forget(key);
        } catch (...) {
            failure = std::current_exception();
        }
        if (!failure) continue;
        {
            const MutexLock lock(shard.mutex);
            const auto room =
                kMaxExtensionsPerShard - std::min(kMaxExtensionsPerShard, shard.extensions.size());
            if (kept.size() > room) kept.resize(room);
            shard.extensions.insert(shard.extensions.end(), kept.begin(), kept.end());
        }
        std::rethrow_exception(failure);
    }
}

void MemorySessionStore::forget_all() {
    for (Index& index : indexes_) {
        const MutexLock lock(index.mutex);
        index.named.clear();
        index.absent.clear();
        ++index.generation;
    }
    // After the indexes, so that look-ups under way are not kept. Whole shards are cleared, since
    // the ledger's writer waits for this.
    for (Shard& shard : shards_) {
        const MutexLock lock(shard.mutex);
        shard.sessions.clear();
    }
}

MemorySessionStore::Entry MemorySessionStore::entry_of(const SessionKey& key,
                                                       const Session& session,
                                                       Timestamp now) const {
    const bool lacks_second_factor =
        terms_.staff_need_second_factor && is_staff(session.role) && !session.strong;
    return {.caller = {.session = key,
                       .id = session.user_id,
                       .role = session.role,
                       .lacks_second_factor = lacks_second_factor,
                       .session_expires_at = session.expires_at},
            .written_expiry = session.expires_at,
            .ends_at = session.ends_at,
            .known_until = known_until(now)};
}

Timestamp MemorySessionStore::known_until(Timestamp now) const {
    return copies_ ? now + copies_->freshness() : Timestamp::max();
}

/// If it is more than a full freshness away, the clock has been set back.
bool MemorySessionStore::is_known(Timestamp until, Timestamp now) const {
    return !copies_ || (until > now && until - now <= kLongestFreshness);
}

void MemorySessionStore::slide(Shard& shard, Entry& entry, Timestamp now) {
    const Timestamp expires_at = std::min(now + terms_.length, entry.ends_at);
    // Minted sessions may last longer than usual ones: never make them shorter.
    if (expires_at <= entry.caller.session_expires_at) return;
    entry.caller.session_expires_at = expires_at;
    if (expires_at - entry.written_expiry < unwritten_) return;
    if (shard.extensions.size() >= kMaxExtensionsPerShard) return;
    shard.extensions.push_back({entry.caller.session, expires_at});
    entry.written_expiry = expires_at;
}

void MemorySessionStore::make_room(Index& index) {
    if (index.named.size() < max_per_index_) return;
    // A session that is dropped is found in the ledger again. A sixteenth is dropped at once, so
    // that this is seldom needed.
    auto victims = index.named.size() / 16 + 1;
    for (auto at = index.named.begin(); at != index.named.end() && victims > 0; --victims) {
        erase(at->second);
        index.named.erase(at++);
    }
}

}  // namespace sluice
