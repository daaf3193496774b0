#pragma once

#include <functional>
#include <string>

#include "app/expiring_table.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "base/worker_threads.hpp"
#include "domain/proof_of_work.hpp"
#include "domain/sale.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"

namespace sluice {

/// A buyer in a sale: what a challenge is bound to.
struct Entrant {
    UserId buyer;
    SaleId sale;

    friend auto operator<=>(const Entrant&, const Entrant&) = default;
};

}  // namespace sluice

template <>
struct std::hash<sluice::Entrant> {
    std::size_t operator()(const sluice::Entrant& entrant) const noexcept {
        return std::hash<sluice::UserId>{}(entrant.buyer) ^
               std::hash<sluice::SaleId>{}(entrant.sale) * 31;
    }
};

namespace sluice {

/// Gives out challenges and takes their answers: each is good for one buyer, one sale and one
/// place, and a wrong answer spends it. Safe from any thread.
///
/// Memory is bounded, whatever comes: one entry for each buyer and sale. A formula is entered when
/// it is given out, and a new one replaces it. A proof of work is entered only when it is answered,
/// and those given out before it to the same buyer are spent with it.
class ChallengeDesk {
  public:
    static constexpr std::chrono::seconds kFormulaLifetime{60};
    /// Longer, for a slow phone under the highest difficulty.
    static constexpr std::chrono::seconds kWorkLifetime{300};
    static constexpr unsigned kMostExtraBits = 4;  // when the load is 1
    static constexpr std::size_t kMostEntries = 1u << 19;
    static constexpr std::size_t kLongestAnswer = 64;

    struct Options {
        unsigned work_bits = 19;  // for sales that do not say
        std::size_t draw_threads = 1;
        std::size_t draw_backlog = 256;
        std::size_t most_entries = kMostEntries;
    };

    /// `work_key` must be new with each process: what is spent is remembered by the process alone,
    /// so nothing given out by an earlier one may count. `load` says from 0 to 1 how busy we are.
    ChallengeDesk(const WorkChallenges::Key& work_key, std::function<double()> load, Random& random,
                  const Clock& clock, Options options);

    struct FormulaOffer {
        std::string id;
        Timestamp expires_at;
        std::string png;
    };
    /// Drawn on threads of its own. Throws Overload when too many wait for theirs.
    Task<FormulaOffer> offer_formula(Entrant entrant);

    struct WorkOffer {
        std::string id;
        Timestamp expires_at;
        std::string prefix;
        unsigned bits;
    };
    /// `pow` or `math`, by the form of the id: a sale may offer both.
    static Challenge kind_of(std::string_view id);

    WorkOffer offer_work(const Entrant& entrant, std::optional<std::int64_t> bits);

    enum class Verdict {
        solved,         // and spent on the place that was taken with it
        solved_before,  // and spent on a place then: good for that place and no other
        no_place,       // solved, but there was no place: kept, to be sent again until it expires
        failed,         // wrong, expired, spent, or somebody else's
    };
    /// `take_place` is called only for a right answer that is not spent, and in one step with
    /// spending it: two requests with one answer cannot take two places, and a closed gate does not
    /// cost anybody the challenge that they solved. Throws Overload, with nothing spent, when it
    /// could not be remembered that the challenge is spent.
    Verdict redeem(Challenge kind, const Entrant& entrant, std::string_view id,
                   std::string_view answer, const std::function<bool()>& take_place);

    /// Forgets the challenges whose time is over, also while nobody asks for one.
    void sweep();

    std::size_t waiting_drawings() const { return threads_.waiting(); }

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

    Task<std::string> draw(std::string text, std::uint64_t seed);
    Verdict redeem_formula(const Entrant& entrant, std::string_view id, std::string_view answer,
                           const std::function<bool()>& take_place);
    Verdict redeem_work(const Entrant& entrant, std::string_view id, std::string_view answer,
                        const std::function<bool()>& take_place);
    template <class Value>
    void check_room(ExpiringTable<Entrant, Value>& table, const Entrant& entrant,
                    Timestamp now) const;

    const WorkChallenges work_challenges_;
    const std::function<double()> load_;
    Random& random_;
    const Clock& clock_;
    const Options options_;

    Mutex mutex_;
    ExpiringTable<Entrant, Given> formulas_ GUARDED_BY(mutex_);
    ExpiringTable<Entrant, Answered> works_ GUARDED_BY(mutex_);

    WorkerThreads threads_;  // last: its jobs end before what they use
};

}  // namespace sluice
