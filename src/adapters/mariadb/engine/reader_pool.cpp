#include "adapters/mariadb/engine/reader_pool.hpp"

#include <string>

#include <pthread.h>

#include "base/check.hpp"

namespace sluice::mariadb {
namespace {

constexpr std::size_t kNameLength = 15;  // what the kernel keeps of a thread's name

}  // namespace

ReaderPool::ReaderPool(const ServerAddress& address, std::size_t threads, std::size_t backlog)
    : sql::Readers(backlog) {
    CHECK(threads > 0, "somebody has to read");
    for (std::size_t i = 0; i < threads; ++i)
        links_.push_back(std::make_unique<Link>(address, Patience{}));
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this, i] {
            const auto name = ("ledger-reader-" + std::to_string(i)).substr(0, kNameLength);
            pthread_setname_np(pthread_self(), name.c_str());
            run(*links_[i]);
        });
}

ReaderPool::~ReaderPool() {
    queue_.close();
    for (auto& thread : threads_) thread.join();
}

void ReaderPool::run(Link& link) {
    while (!queue_.is_finished()) {
        for (auto& job : queue_.take(1, std::chrono::minutes{1})) {
            std::exception_ptr failure;
            try {
                carry_out(link, *job);
            } catch (const Error& error) {
                failure = outage_of(error);
            }
            reads_.fetch_add(1, std::memory_order_relaxed);
            job->deliver(failure);
        }
    }
}

/// Again when the server went away in between: a read may be repeated.
void ReaderPool::carry_out(Link& link, sql::Job& job) {
    for (bool again = true;; again = false) {
        auto& connection = link.open_with([](Connection& opened) { opened.begin_snapshot(); });
        job.run(connection);
        const bool lost = !connection.is_open();
        connection.roll_back();
        if (!lost || !again) return;
    }
}

}  // namespace sluice::mariadb
