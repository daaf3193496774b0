#pragma once

#include <array>
#include <chrono>
#include <cstring>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/session_copies.hpp"
#include "ports/session_ledger.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// Sessions of one process: a bounded cache in front of the ledger, by the handles of their tokens.
/// New ends of sessions are noted here and written from time to time by write_extensions(), so that
/// a request waits for no disk; a crash therefore costs a session at most kUnwritten of its length.
///
/// With `copies` it is the memory of one node among several. Then `ledger` stands for the copies
/// too, and is asked again when a session was remembered for as long as the copies allow.
class MemorySessionStore : public SessionStore {
  public:
    static constexpr std::chrono::minutes kUnwritten{1};  // or a quarter of a short session
    static constexpr std::size_t kMostSessions = 1'000'000;

    MemorySessionStore(SessionLedger& ledger, SessionTerms terms,
                       std::size_t max_sessions = kMostSessions, SessionCopies* copies = nullptr);

    std::optional<Caller> peek(const TokenHandle& handle, Timestamp now) override;
    Task<std::optional<Caller>> find(SessionName name, Timestamp now) override;
    Task<bool> lives(SessionKey key, Timestamp now) override;
    void touch(const SessionKey& key, Timestamp now) override;
    Task<std::optional<Caller>> open(SessionName name, Proven who, Timestamp now) override;
    Task<Done> close(SessionKey key) override;
    Task<std::string> user_name(SessionKey key, Timestamp now) override;
    Task<Done> close_all(UserId user) override;
    Task<Done> forget(std::vector<SessionKey> ended) override;
    Task<Done> refresh(UserId user) override;

    /// Writes the new ends of sessions, and forgets those that the ledger does not have any more.
    /// What cannot be written is kept for the next call.
    Task<> write_extensions();

    /// Another process has changed the ledger: asks it again for every session.
    void forget_all();

  private:
    struct Entry {
        Caller caller;
        Timestamp written_expiry;
        Timestamp ends_at;
        Timestamp known_until;  // then it is asked for again
    };
    struct Hash {
        // All of these are digests, so any eight bytes of them can be the hash.
        template <std::size_t kBytes>
        std::size_t operator()(const std::array<unsigned char, kBytes>& digest) const noexcept {
            std::size_t bits;
            std::memcpy(&bits, digest.data(), sizeof bits);
            return bits;
        }
    };
    /// What each request needs.
    struct alignas(64) Shard {
        Mutex mutex;
        boost::unordered_flat_map<TokenHandle, Entry, Hash> sessions GUARDED_BY(mutex);
        std::vector<SessionLedger::Extension> extensions GUARDED_BY(mutex);
    };
    struct Named {
        std::optional<TokenHandle> handle;  // where its entry is, if a request has brought it
        std::string user;
        Timestamp expires_at;  // used without an entry, which is newer
        Timestamp known_until;
    };
    /// Used by changes: which sessions are in memory, by the keys that the ledger has. Its mutex is
    /// taken before a shard's.
    struct alignas(64) Index {
        Mutex mutex;
        boost::unordered_flat_map<SessionKey, Named, Hash> named GUARDED_BY(mutex);
        boost::unordered_flat_set<SessionKey, Hash> absent GUARDED_BY(mutex);
        Timestamp absent_until GUARDED_BY(mutex) = Timestamp::max();  // then they are forgotten
        std::uint64_t generation GUARDED_BY(mutex) = 0;  // counts closings and forget_all
    };
    static constexpr std::size_t kShards = 16;

    Shard& shard_of(const TokenHandle& handle) { return shards_[handle.back() % kShards]; }
    Index& index_of(const SessionKey& key) { return indexes_[key.back() % kShards]; }
    Entry entry_of(const SessionKey& key, const Session& session, Timestamp now) const;
    Timestamp known_until(Timestamp now) const;
    bool is_known(Timestamp until, Timestamp now) const;
    void keep(Index& index, const SessionName& name, const Session& session, const Entry& entry)
        REQUIRES(index.mutex);
    void keep_alive(Index& index, const SessionKey& key, const Session& session, Timestamp now)
        REQUIRES(index.mutex);
    bool is_absent(Index& index, const SessionKey& key, Timestamp now) REQUIRES(index.mutex);
    void note_absent(Index& index, const SessionKey& key, Timestamp now) REQUIRES(index.mutex);
    void forget(const SessionKey& key);
    Task<Done> forget_everywhere(std::vector<SessionKey> keys);
    void drop(Index& index, const SessionKey& key) REQUIRES(index.mutex);
    void erase(const Named& named);
    Timestamp expiry_of(const Named& named);
    void slide(Shard& shard, Entry& entry, Timestamp now) REQUIRES(shard.mutex);
    void make_room(Index& index) REQUIRES(index.mutex);

    SessionLedger& ledger_;
    SessionCopies* const copies_;
    const SessionTerms terms_;
    const std::chrono::milliseconds unwritten_;
    const std::size_t max_per_index_;
    std::array<Shard, kShards> shards_;
    std::array<Index, kShards> indexes_;
};

}  // namespace sluice
