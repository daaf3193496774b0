#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>

#include "base/mutex.hpp"
#include "domain/block.hpp"

namespace sluice::gate {

/// Who is blocked. Every request asks this, so it takes no lock and allocates nothing, and costs
/// one load while there are no blocks. Safe from any thread.
class BlockList {
  public:
    BlockList();
    ~BlockList();
    BlockList(const BlockList&) = delete;
    BlockList& operator=(const BlockList&) = delete;

    bool holds(UserId buyer, Timestamp now) const;
    bool holds(const Address& address, Timestamp now) const;

    /// From now on these blocks are in force and no others. Sleeps until nobody reads the old list
    /// any more: a read takes a microsecond, and readers that come meanwhile use the new list.
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
