#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "adapters/sql/job.hpp"
#include "adapters/sql/news.hpp"
#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::simulation {

/// The disk: the only thing that survives a crash. It has the real schema, with an operator (user
/// 1) and item 1, and is used by the real statements, one transaction at a time.
///
/// A commit and its news are two steps, as in the server: a read of the ledger in between sees a
/// change that memory does not show yet. There is one writer, so the news of a commit is out before
/// the next transaction begins.
class Store {
  public:
    Store();

    /// Runs a transaction, which is rolled back when the work refuses or throws. Its news waits for
    /// publish().
    template <class Work>
    auto write(Work work) {
        publish();
        auto [result, kept] = transact(work);
        if (kept) in_doubt_ = nullptr;  // its place in the log was written over
        unpublished_ = kept;
        return std::move(result);
    }

    /// A commit whose flush failed. SQLite rolls the transaction back, but the log has it: a crash
    /// before the next commit may bring it back.
    template <class Work>
    void leave_in_doubt(Work work) {
        publish();
        in_doubt_ = [this, work]() mutable { transact(work); };
    }

    void publish() {
        if (std::exchange(unpublished_, false)) news.conclude(true);
    }
    bool has_unpublished() const { return unpublished_; }

    /// The process has crashed: its news is lost, and `recover` decides whether the log still has
    /// the commit that was in doubt.
    void crash(bool recover);

    template <class Work>
    auto read(Work work) {
        return work(database_);
    }

    std::uint64_t commits() const { return commits_; }

    sql::News news;

  private:
    template <class Work>
    auto transact(Work& work)
        -> std::pair<decltype(work(std::declval<sqlite::Database&>())), bool> {
        database_.run("BEGIN IMMEDIATE");
        try {
            auto result = work(database_);
            bool keep = true;
            if constexpr (kCanRefuse<decltype(result)>) keep = result.has_value();
            database_.run(keep ? "COMMIT" : "ROLLBACK");
            if (keep)
                ++commits_;
            else
                news.conclude(false);
            return {std::move(result), keep};
        } catch (...) {
            database_.run("ROLLBACK");
            news.conclude(false);
            throw;
        }
    }

    sqlite::Database database_;
    std::uint64_t commits_ = 0;
    bool unpublished_ = false;
    std::function<void()> in_doubt_;
};

}  // namespace sluice::simulation
