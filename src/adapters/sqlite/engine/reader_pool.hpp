#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include "adapters/sql/queues.hpp"
#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

/// Each with a connection of its own.
class ReaderPool final : public sql::Readers {
  public:
    /// The file has been opened by a writer before.
    ReaderPool(const std::filesystem::path& file, std::size_t threads, std::size_t backlog);
    /// Finishes what waits.
    ~ReaderPool();

    /// Done so far.
    std::uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }

  private:
    void run(Database& database);

    std::atomic<std::uint64_t> reads_ = 0;
    std::vector<Database> databases_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::sqlite
