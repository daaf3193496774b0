#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>

#include "base/mutex.hpp"
#include "domain/block.hpp"

namespace sluice::gate {

/// Who is blocked, as every request asks: without a lock, without an allocation, and for nothing
/// more than one load while there are no blocks. Safe from any thread.
class BlockList {
  public:
    BlockList();
    ~BlockList();
    BlockList(const BlockList&) = delete;
    BlockList& operator=(const BlockList&) = delete;

    bool holds(UserId buyer, Timestamp now) const;
    bool holds(const Address& address, Timestamp now) const;

    /// From now on these and no others. Waits, asleep, for those who are looking at the old ones:
    /// each takes a microsecond, and those who come meanwhile are not waited for.
    void replace(std::span<const Block> blocks);

  private:
    struct Snapshot;
    class Look;

    using Count = std::atomic<int>;
    static void wait_until_none(Count& looking);

    std::atomic<const Snapshot*> current_ = nullptr;  // null when there are no blocks
    /// Readers count themselves in one of two places. The replacer chooses which: it sends new
    /// readers to the other place, and waits until the first one is empty.
    mutable std::array<Count, 2> looking_{};
    std::atomic<unsigned> place_ = 0;
    Mutex replacing_;  // one replacer at a time; protects no member, since readers take no lock
};

}  // namespace sluice::gate
