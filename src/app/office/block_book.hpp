#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/office/actor.hpp"
#include "base/address.hpp"
#include "base/mutex.hpp"
#include "ports/block_ledger.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// All blocks, in memory, in front of the ledger. Each change is read back after its commit and
/// told to the listener before its answer. Safe from any thread.
class BlockBook {
  public:
    using Listener = std::function<void(std::span<const Block>)>;

    BlockBook(BlockLedger& ledger, const Clock& clock, IdSource& ids, Listener listener)
        : ledger_(ledger), clock_(clock), ids_(ids), listener_(std::move(listener)) {}

    /// Takes over what the ledger holds: at start, and whenever another process has changed it. May
    /// throw Outage.
    Task<> reload();

    struct Wish {
        std::string reason;
        std::optional<Timestamp> until;
    };
    /// Refuses an unknown buyer, one block too many, and a block of the actor or of their own
    /// address, because they might not be able to lift it again.
    Task<Outcome<Block>> put(BlockSubject subject, Wish wish, Actor actor, Address from);

    /// Refuses with not_found when there is no such block.
    Task<Outcome<Done>> lift(BlockSubject subject, Actor actor);

    std::optional<Block> find(const BlockSubject& subject) const;

    /// Which of these are blocked now: a buyer by their own block, a network also by a block of a
    /// wider network.
    std::vector<bool> are_blocked(const std::vector<BlockSubject>& subjects) const;

    /// The newest first, older than `before` when given.
    std::vector<Block> list(std::optional<BlockId> before, std::size_t limit) const;

  private:
    /// `before` itself when nothing would change.
    Outcome<Block> draft(const BlockSubject& subject, const Wish& wish,
                         const std::optional<Block>& before, const Actor& actor,
                         const Address& from);
    Deed make_deed_of(const Actor& actor, Timestamp now, const char* action,
                      const std::optional<Block>& before, const std::optional<Block>& after);

    BlockLedger& ledger_;
    const Clock& clock_;
    IdSource& ids_;
    const Listener listener_;
    mutable Mutex mutex_;
    std::vector<Block> blocks_ GUARDED_BY(mutex_);  // the newest first
    std::uint64_t begun_ GUARDED_BY(mutex_) = 0;    // readings of the ledger
    std::uint64_t adopted_ GUARDED_BY(mutex_) = 0;  // the reading from which blocks_ is
};

}  // namespace sluice
