#include "adapters/sqlite/engine/reader_pool.hpp"

#include <string>

#include <pthread.h>

#include "base/check.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

constexpr std::size_t kNameLength = 15;  // the kernel keeps so much of a thread's name

/// An open transaction would prevent the restart of the log.
void end_snapshot(Database& database) {
    if (database.in_transaction()) database.run("ROLLBACK");
}

}  // namespace

ReaderPool::ReaderPool(const std::filesystem::path& file, std::size_t threads, std::size_t backlog)
    : sql::Readers(backlog) {
    CHECK(threads > 0, "somebody has to read");
    for (std::size_t i = 0; i < threads; ++i) databases_.push_back(Database::open_reader(file));
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this, i] {
            const auto name = ("ledger-reader-" + std::to_string(i)).substr(0, kNameLength);
            pthread_setname_np(pthread_self(), name.c_str());
            run(databases_[i]);
        });
}

ReaderPool::~ReaderPool() {
    queue_.close();
    for (auto& thread : threads_) thread.join();
}

void ReaderPool::run(Database& database) {
    while (!queue_.is_finished()) {
        for (auto& job : queue_.take(1, std::chrono::minutes{1})) {
            std::exception_ptr failure;
            try {
                database.run("BEGIN");
                job->run(database);
                end_snapshot(database);
            } catch (const Error& error) {
                failure = outage_of(error);
            }
            reads_.fetch_add(1, std::memory_order_relaxed);
            job->deliver(failure);
        }
    }
}

}  // namespace sluice::sqlite
