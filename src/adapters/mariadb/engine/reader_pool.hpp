#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "adapters/mariadb/engine/link.hpp"
#include "adapters/sql/queues.hpp"

namespace sluice::mariadb {

/// Threads that only read, each with a connection. A read sees everything that any caller was told
/// to be written when the read began, all as of one instant.
class ReaderPool final : public sql::Readers {
  public:
    /// Connections are opened when they are needed.
    ReaderPool(const ServerAddress& address, std::size_t threads, std::size_t backlog);
    /// Finishes what waits.
    ~ReaderPool();

    /// Done so far.
    std::uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }

  private:
    void run(Link& link);
    void carry_out(Link& link, sql::Job& job);

    std::atomic<std::uint64_t> reads_ = 0;
    std::vector<std::unique_ptr<Link>> links_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::mariadb
