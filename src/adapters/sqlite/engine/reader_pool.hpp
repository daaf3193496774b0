#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include "adapters/sql/queues.hpp"
#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

/// Reading threads, each with its own connection.
class ReaderPool final : public sql::Readers {
  public:
    /// A writer must have opened the file before.
    ReaderPool(const std::filesystem::path& file, std::size_t threads, std::size_t backlog);
    /// Finishes what waits.
    ~ReaderPool();

    /// Reads done so far.
    std::uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }

  private:
    void run(Database& database);

    std::atomic<std::uint64_t> reads_ = 0;
    std::vector<Database> databases_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::sqlite
