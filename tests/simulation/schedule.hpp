#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/local_loop.hpp"
#include "domain/ticket.hpp"
#include "simulation/chance.hpp"

namespace sluice::simulation {

/// Enough of a ticket to tell it from the others of a run.
inline std::string short_name(const TicketId& ticket) {
    return ticket.text().substr(12, 6);
}
/// Everything that one process is waiting for. Chance picks what happens next, so any order that
/// threads, disks and networks could bring about is possible, and the same seed brings it about
/// again. It ends with its process: what is still parked then never happens, and the coroutines
/// that wait for it are destroyed where they stand.
class Schedule {
  public:
    Schedule(LocalLoop& loop, Chance& chance) : loop_(loop), chance_(chance) {}
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;
    ~Schedule();

    /// Destroys what waits here, as a crash does.
    void drop_all();

    /// While calm nothing waits and nothing goes wrong: for start-up and for contract tests.
    void set_calm(bool calm) { calm_ = calm; }
    /// From here on everything is only late, never lost or doubled.
    void end_faults() { faults_ = false; }

    /// Returns when it is picked.
    Task<> pause(std::string what);

    /// Done when it is picked.
    void park(std::string what, std::move_only_function<void()> deed);

    /// Owned by the schedule: ends by itself, or with the process.
    void start(Task<> task);

    /// Whether a fault that strikes one time in `count` does so now.
    bool strikes(std::int64_t count) {
        const bool struck = faults_ && !calm_ && chance_.one_in(count);
        if (struck) ++struck_;
        return struck;
    }
    /// Faults so far: whoever is told "come again" without one was told so for no reason.
    std::uint64_t faults_struck() const { return struck_; }
    std::size_t draw(std::size_t size) { return calm_ ? size - 1 : chance_.index(size); }

    bool is_empty() const { return parked_.empty(); }
    std::size_t size() const { return parked_.size(); }

    /// Lets one thing happen and whatever follows from it without waiting; names it.
    std::string step();

    /// Runs what can go on without anything parked.
    void settle_down();

  private:
    struct Parked {
        std::string what;
        std::move_only_function<void()> deed;
    };

    LocalLoop& loop_;
    std::exception_ptr failure_;  // of a task that was started
    Chance& chance_;
    bool calm_ = false;
    bool faults_ = true;
    std::uint64_t struck_ = 0;
    std::vector<Parked> parked_;
};

}  // namespace sluice::simulation
