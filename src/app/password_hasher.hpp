#pragma once

#include <cstddef>
#include <string>

#include "base/task.hpp"
#include "base/worker_threads.hpp"

namespace sluice {

/// argon2id on threads of its own, because each hash is meant to take long: a bounded number at a
/// time and a bounded number waiting. Past that calls throw Overload.
class PasswordHasher {
  public:
    struct Cost {
        unsigned long long passes = 2;
        std::size_t memory_bytes = 19u << 20;
    };

    /// `legacy_fixed_salt`: what imported passwords were mixed with, if that is known.
    PasswordHasher(std::size_t threads, std::size_t backlog, Cost cost,
                   std::string legacy_fixed_salt = {});

    Task<std::string> hash(std::string password);

    /// A hash of ours or a WrappedHash. An empty one stands for an unknown account: it never
    /// matches, and takes as long as one that does not.
    Task<bool> verify(std::string hash, std::string password);

    /// The same at once, on the calling thread.
    std::string hash_now(const std::string& password) const;

  private:
    bool matches(const std::string& hash, const std::string& password) const;
    template <class T, class Work>
    Task<T> run(Work work);

    const Cost cost_;
    const std::string legacy_fixed_salt_;
    const std::string decoy_;  // what unknown accounts are checked against
    WorkerThreads threads_;
};

}  // namespace sluice
