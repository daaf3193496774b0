#pragma once

#include <functional>

#include "app/expiring_table.hpp"
#include "base/mutex.hpp"
#include "ports/entry_desk.hpp"

namespace sluice {

/// Which challenges of this process are open and which are spent. Safe from any thread.
///
/// Memory is bounded: one entry for each buyer and sale. A formula is entered when it is given out,
/// and a new one replaces it. A proof of work is entered only when it is answered; those given out
/// earlier to the same buyer are spent with it.
class ChallengeBook {
  public:
    static constexpr std::size_t kMostEntries = 1u << 19;

    explicit ChallengeBook(std::size_t most_entries = kMostEntries) : most_entries_(most_entries) {}

    /// Throws Overload when too many are open.
    void keep(const Entrant& entrant, const GivenFormula& formula, Timestamp now);

    enum class Verdict {
        solved,         // right, and spent now on the place that was taken
        solved_before,  // spent earlier on a place: good for that place only
        no_place,       // right, but no place was free: not spent, may be sent again
        failed,         // wrong, expired, spent, or somebody else's
    };
    /// `take_place` is called only for a right answer that is not spent, in one step with spending
    /// it. So two requests with one answer cannot take two places, and a full gate does not cost
    /// anybody the challenge that they solved. Throws Overload, with nothing spent, when there is
    /// no room to remember the spent challenge.
    Verdict spend(const Entrant& entrant, const ShownChallenge& shown, Timestamp now,
                  const std::function<bool()>& take_place);

    /// Forgets the challenges whose time is over, also while nobody asks for one.
    void sweep(Timestamp now);

  private:
    struct Given {
        Mark mark{};
        int answer = 0;
        bool placed = false;
    };
    struct Answered {
        Mark mark{};
        Timestamp expires_at;
        bool placed = false;
    };

    Verdict spend_formula(const Entrant& entrant, const ShownFormula& shown, Timestamp now,
                          const std::function<bool()>& take_place) REQUIRES(mutex_);
    Verdict spend_work(const Entrant& entrant, const ShownWork& shown, Timestamp now,
                       const std::function<bool()>& take_place) REQUIRES(mutex_);
    template <class Value>
    void check_room(ExpiringTable<Entrant, Value>& table, const Entrant& entrant,
                    Timestamp now) const;

    const std::size_t most_entries_;

    Mutex mutex_;
    ExpiringTable<Entrant, Given> formulas_ GUARDED_BY(mutex_);
    ExpiringTable<Entrant, Answered> works_ GUARDED_BY(mutex_);
};

}  // namespace sluice
