#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/condition.hpp"
#include "base/mutex.hpp"

namespace sluice {

/// Named threads for work that takes long, shared fairly. Jobs wait in lanes, which are served in
/// turn. In each lane the parties are served in turn too, so a party that brings many jobs waits
/// for itself. Each lane has a bounded number of places. When they are taken, a job of a party with
/// fewer jobs there replaces the latest job of the party with the most. The destructor finishes
/// what waits and joins.
class FairThreads {
  public:
    /// Called once: with true to do the work, with false when it has lost its place. Must not
    /// throw.
    using Job = std::move_only_function<void(bool)>;

    struct Place {
        std::size_t lane = 0;
        std::uint64_t party = 0;
    };

    FairThreads(std::string name, std::size_t threads, std::size_t lanes, std::size_t backlog);
    ~FairThreads();

    /// Another job may lose its place to this one, and is told so on this thread.
    void submit(Place place, Job job);

    std::size_t waiting(std::size_t lane) const;

  private:
    struct Party {
        std::uint64_t name;
        std::deque<Job> jobs;  // not empty
    };
    /// The next party to be served is at the front.
    struct Lane {
        std::list<Party> parties;
        std::unordered_map<std::uint64_t, std::list<Party>::iterator> places;
        std::size_t waiting = 0;

        void put(std::uint64_t name, Job job);
        Job take();
        /// The latest job of the party with the most jobs, if that has more than `name`.
        std::optional<Job> displace_for(std::uint64_t name);
    };

    void run();
    std::optional<Job> take() EXCLUDES(mutex_);
    std::optional<Job> enter(Place place, Job job) EXCLUDES(mutex_);
    bool is_empty() const REQUIRES(mutex_);

    const std::size_t backlog_;
    mutable Mutex mutex_;
    Condition ready_;
    std::vector<Lane> lanes_ GUARDED_BY(mutex_);
    std::size_t next_ GUARDED_BY(mutex_) = 0;  // lane
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::vector<std::thread> threads_;
};

}  // namespace sluice
