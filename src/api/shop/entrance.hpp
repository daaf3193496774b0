#pragma once

#include "app/catalog.hpp"
#include "app/challenge_desk.hpp"
#include "app/pass_desk.hpp"
#include "gate/attempt_limiter.hpp"
#include "gate/guess_limiter.hpp"
#include "http/exchange.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::api {

/// From the challenge to the pass.
class Entrance {
  public:
    Entrance(ChallengeDesk& challenges, PassDesk& passes, const Catalog& catalog, StockGate& gate,
             OrderLedger& ledger, gate::GuessLimiter& guesses, gate::AttemptLimiter& attempts,
             const Clock& clock)
        : challenges_(challenges),
          passes_(passes),
          catalog_(catalog),
          gate_(gate),
          ledger_(ledger),
          guesses_(guesses),
          attempts_(attempts),
          clock_(clock) {}

    http::Pending create_challenge(http::Exchange& exchange);
    http::Pending create_pass(http::Exchange& exchange);

  private:
    /// What the request shows to be let in.
    struct Shown {
        std::optional<std::string> challenge_id;
        std::optional<std::string> answer;
    };

    bool guessed_too_often(http::Exchange& exchange, SaleId sale) const;
    bool tried_too_often(http::Exchange& exchange, SaleId sale) const;
    http::Pending turn_away(http::Exchange& exchange, SaleId sale, Reason reason);
    Task<> tell_limit(http::Exchange& exchange, SaleId sale);
    Task<> offer_formula(http::Exchange& exchange, SaleId sale);
    void offer_work(http::Exchange& exchange, const Sale& sale);
    void admit(http::Exchange& exchange, const Sale& sale, std::int64_t most_places,
               const Shown& shown, Timestamp now);

    ChallengeDesk& challenges_;
    PassDesk& passes_;
    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    gate::GuessLimiter& guesses_;
    gate::AttemptLimiter& attempts_;
    const Clock& clock_;
};

}  // namespace sluice::api
