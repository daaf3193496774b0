#pragma once

#include <functional>

#include "app/passes/expiring_table.hpp"
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
        solved,         // and spent on the place that was taken with it
        solved_before,  // and spent on a place then: good for that place and no other
        no_place,       // solved, but there was no place: kept, to be sent again
        failed,         // wrong, expired, spent, or somebody else's
    };
    struct Tried {
        bool placed = false;
        Timestamp awaited_until{};  // else: the same answer may come again until then
    };
    using TakePlace = std::function<Tried()>;
    /// `take_place` is called only for a right answer that is not spent, and in one step with
    /// spending it: two requests with one answer cannot take two places, and a closed gate does not
    /// cost anybody the challenge that they solved. A formula is kept until its buyer is not
    /// awaited any more. Throws Overload, with nothing spent, when it could not be remembered that
    /// the challenge is spent.
    Verdict spend(const Entrant& entrant, const ShownChallenge& shown, Timestamp now,
                  const TakePlace& take_place);

    /// Forgets the challenges whose time is over, also while nobody asks for one.
    void sweep(Timestamp now);

  private:
    struct Given {
        Mark mark{};
        int answer = 0;
        bool placed = false;
        Timestamp expires_at;
    };
    struct Answered {
        Mark mark{};
        Timestamp expires_at;
        bool placed = false;
    };

    Verdict spend_formula(const Entrant& entrant, const ShownFormula& shown, Timestamp now,
                          const TakePlace& take_place) REQUIRES(mutex_);
    Verdict spend_work(const Entrant& entrant, const ShownWork& shown, Timestamp now,
                       const TakePlace& take_place) REQUIRES(mutex_);
    template <class Value>
    void check_room(ExpiringTable<Entrant, Value>& table, const Entrant& entrant,
                    Timestamp now) const;

    const std::size_t most_entries_;

    Mutex mutex_;
    ExpiringTable<Entrant, Given> formulas_ GUARDED_BY(mutex_);
    ExpiringTable<Entrant, Answered> works_ GUARDED_BY(mutex_);
};

}  // namespace sluice
