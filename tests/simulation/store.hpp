#pragma once

#include <cstdint>

#include "adapters/sqlite/connection.hpp"
#include "adapters/sqlite/job.hpp"
#include "adapters/sqlite/news.hpp"

namespace sluice::simulation {

/// The disk: the one thing that a crash leaves behind. It holds the real schema, with an operator
/// (user 1) and item 1, and is worked on by the real statements, one transaction at a time.
class Store {
  public:
    Store();

    /// A transaction of its own, taken back when the work refuses.
    template <class Work>
    auto write(Work work) {
        database_.run("BEGIN IMMEDIATE");
        auto result = work(database_);
        bool keep = true;
        if constexpr (sqlite::kCanRefuse<decltype(result)>) keep = result.has_value();
        database_.run(keep ? "COMMIT" : "ROLLBACK");
        if (keep) ++commits_;
        news.conclude(keep);
        return result;
    }

    template <class Work>
    auto read(Work work) {
        return work(database_);
    }

    std::uint64_t commits() const { return commits_; }

    sqlite::News news;

  private:
    sqlite::Database database_;
    std::uint64_t commits_ = 0;
};

}  // namespace sluice::simulation
