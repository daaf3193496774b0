#pragma once

#include <functional>
#include <string>

#include "base/task.hpp"
#include "base/worker_threads.hpp"
#include "domain/proof_of_work.hpp"
#include "domain/sale.hpp"
#include "ports/clock.hpp"
#include "ports/entry_desk.hpp"
#include "ports/random.hpp"

namespace sluice {

/// Makes challenges and reads their answers. An EntryDesk keeps which ones are open and which are
/// spent. Safe from any thread.
class ChallengeDesk {
  public:
    static constexpr std::chrono::seconds kFormulaLifetime{60};
    /// Longer, so that a slow phone can solve the hardest proof of work.
    static constexpr std::chrono::seconds kWorkLifetime{300};
    static constexpr unsigned kMostExtraBits = 4;  // when the load is 1
    static constexpr std::size_t kLongestAnswer = 64;

    struct Options {
        unsigned work_bits = 19;  // for sales that do not say
        std::size_t draw_threads = 1;
        std::size_t draw_backlog = 256;
    };

    /// `work_key` belongs to the entry desk that remembers what is spent. If that memory ends with
    /// the process, every process needs a new key, so that nothing given out by an earlier process
    /// counts. Nodes that share the desk share the key. `load` says from 0 to 1 how busy we are.
    ChallengeDesk(const WorkChallenges::Key& work_key, std::function<double()> load, Random& random,
                  const Clock& clock, Options options);

    struct Formula {
        GivenFormula given;
        std::string png;
    };
    /// Drawn on threads of its own. Throws Overload when too many wait to be drawn.
    Task<Formula> make_formula();

    struct FormulaOffer {
        std::string id;
        Timestamp expires_at;
        std::string png;
    };
    static FormulaOffer offer_of(Formula formula);

    struct WorkOffer {
        std::string id;
        Timestamp expires_at;
        std::string prefix;
        unsigned bits;
    };
    /// `pow` or `math`, by the form of the id, since a sale may offer both.
    static Challenge kind_of(std::string_view id);

    WorkOffer offer_work(const Entrant& entrant, std::optional<std::int64_t> bits);

    /// nullopt: we did not give it to this buyer for this sale, or its time is over.
    std::optional<ShownChallenge> read(Challenge kind, const Entrant& entrant, std::string_view id,
                                       std::string_view answer) const;

    std::size_t waiting_drawings() const { return threads_.waiting(); }

  private:
    Task<std::string> draw(std::string text, std::uint64_t seed);

    const WorkChallenges work_challenges_;
    const std::function<double()> load_;
    Random& random_;
    const Clock& clock_;
    const Options options_;

    WorkerThreads threads_;  // last: its jobs end before what they use
};

}  // namespace sluice
