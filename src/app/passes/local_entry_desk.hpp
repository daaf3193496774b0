#pragma once

#include "app/passes/challenge_book.hpp"
#include "app/passes/pass_desk.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// The entry desk of one process: it answers everything at once.
class LocalEntryDesk final : public EntryDesk {
  public:
    LocalEntryDesk(const Passes& passes, Random& random, const Clock& clock,
                   std::size_t most_challenges = ChallengeBook::kMostEntries)
        : places_(passes, random), challenges_(most_challenges), clock_(clock) {}

    Task<Answer> enter(Request request) override;
    std::optional<Answer> enter_at_once(const Request& request) override;
    Task<Done> keep(Entrant entrant, GivenFormula formula) override;
    void note_claim(UserId buyer, SaleId sale, bool may_claim_more) override {
        places_.note_claim(buyer, sale, may_claim_more);
    }
    Task<Done> sweep(std::function<bool(SaleId)> is_selling) override;
    bool has_issued() const override { return places_.has_issued(); }
    bool has_places() const override { return places_.has_places(); }
    std::uint64_t lapses() const override { return places_.lapses(); }
    std::size_t waiting() const override { return places_.waiting(); }

    PassDesk& places() { return places_; }
    const PassDesk& places() const { return places_; }

  private:
    Answer take_place(const Request& request, Timestamp now);
    Answer redeem(const Request& request, Timestamp now);

    PassDesk places_;
    ChallengeBook challenges_;
    const Clock& clock_;
};

}  // namespace sluice
