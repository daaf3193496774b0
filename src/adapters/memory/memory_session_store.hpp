#pragma once

#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "ports/clock.hpp"
#include "ports/session_ledger.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// Sessions of one process: a bounded cache before the ledger. That a session slides on is noted
/// here and written down now and then by write_extensions(), so that a request waits for no disk;
/// a crash therefore costs a session at most kUnwritten of its length.
class MemorySessionStore : public SessionStore {
  public:
    static constexpr std::chrono::minutes kUnwritten{1};

    MemorySessionStore(SessionLedger& ledger, std::chrono::milliseconds session_length,
                       std::size_t max_sessions = 1'000'000);

    std::optional<Caller> peek(const SessionKey& key, Timestamp now) override;
    Task<std::optional<Caller>> find(SessionKey key, Timestamp now) override;
    Task<bool> lives(SessionKey key, Timestamp now) override;
    Task<std::optional<Caller>> open(SessionKey key, UserId user, std::string password_hash,
                                     Timestamp now) override;
    Task<Done> close(SessionKey key) override;
    Task<Done> close_all(UserId user) override;
    Task<Done> refresh(UserId user) override;

    /// Writes down which sessions have slid on. What cannot be written is kept for the next time.
    Task<> write_extensions();

    /// The ledger was changed by somebody else: ask it again for everyone.
    void forget_all();

  private:
    struct Entry {
        Caller caller;
        Timestamp written_expiry;
    };
    struct KeyHash {
        // Keys are digests: any eight bytes are as good as a hash.
        std::size_t operator()(const SessionKey& key) const noexcept {
            std::size_t bits;
            std::memcpy(&bits, key.data(), sizeof bits);
            return bits;
        }
    };
    struct alignas(64) Shard {
        std::mutex mutex;
        boost::unordered_flat_map<SessionKey, Entry, KeyHash> sessions;  // under mutex
        boost::unordered_flat_set<SessionKey, KeyHash> absent;           // under mutex
        std::vector<SessionLedger::Extension> extensions;                // under mutex
        std::uint64_t generation = 0;  // under mutex; counts closings and forget_all
    };
    static constexpr std::size_t kShards = 16;

    Shard& shard_of(const SessionKey& key) { return shards_[key.back() % kShards]; }
    static Entry entry_of(const SessionKey& key, const Session& session);
    /// From the ledger; kept here, if nothing was changed meanwhile.
    Task<std::optional<Caller>> fetch(SessionKey key, Timestamp now, bool slides);
    void forget(const SessionKey& key);
    void slide(Shard& shard, const SessionKey& key, Entry& entry, Timestamp now);
    void make_room(Shard& shard);

    SessionLedger& ledger_;
    const std::chrono::milliseconds length_;
    const std::size_t max_per_shard_;
    std::array<Shard, kShards> shards_;
};

}  // namespace sluice
