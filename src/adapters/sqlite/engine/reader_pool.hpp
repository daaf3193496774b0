#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "adapters/sqlite/engine/job.hpp"

namespace sluice::sqlite {

/// Threads that only read. A read sees everything that any caller had been told of as written
/// when the read began, all of it from one instant.
class ReaderPool {
  public:
    /// The file has been opened by a writer before.
    ReaderPool(const std::filesystem::path& file, std::size_t threads, std::size_t backlog);
    /// Finishes what waits.
    ~ReaderPool();
    ReaderPool(const ReaderPool&) = delete;
    ReaderPool& operator=(const ReaderPool&) = delete;

    /// Awaits work(database). Throws Outage or Overload.
    template <class T, class Work>
    Task<T> read(Work work) {
        return await_job<T>(queue_, std::move(work));
    }

    /// Done so far.
    std::uint64_t reads() const { return reads_.load(std::memory_order_relaxed); }

  private:
    void run(Database& database);

    JobQueue queue_;
    std::atomic<std::uint64_t> reads_ = 0;
    std::vector<Database> databases_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::sqlite
