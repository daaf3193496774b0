#pragma once

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

    /// From now on these and no others. Waits for those who are looking at the old ones, each of
    /// whom takes less than a microsecond.
    void replace(std::span<const Block> blocks);

  private:
    struct Snapshot;
    class Look;

    std::atomic<const Snapshot*> current_ = nullptr;  // null when there are no blocks
    mutable std::atomic<int> looking_ = 0;
    Mutex replacing_;
};

}  // namespace sluice::gate
