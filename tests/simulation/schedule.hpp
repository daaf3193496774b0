#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/local_loop.hpp"
#include "domain/ticket.hpp"
#include "simulation/chance.hpp"

namespace sluice::simulation {

/// Enough of a ticket to distinguish it from the others of a run.
inline std::string short_name(const TicketId& ticket) {
    return ticket.text().substr(12, 6);
}
/// Everything for which one process is waiting. Chance decides what happens next, so any order that
/// threads, disks and networks could produce is possible, and the same seed produces it again. It
/// ends with its process: what is still waiting then never happens, and the waiting coroutines are
/// destroyed.
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
    /// Counts faults: if there was none, nobody should be told to come again.
    std::uint64_t faults_struck() const { return struck_; }
    std::size_t draw(std::size_t size) { return calm_ ? size - 1 : chance_.index(size); }

    bool is_empty() const { return parked_.empty(); }
    std::size_t size() const { return parked_.size(); }

    /// Lets one thing happen and everything that follows from it without waiting; returns its name.
    std::string step();

    /// Runs everything that need not wait.
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
