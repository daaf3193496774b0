#pragma once

#include "app/passes/issue_pass.hpp"
#include "gate/attempt_limiter.hpp"
#include "gate/guess_limiter.hpp"
#include "gate/rates.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the challenge to the pass.
class Entrance {
  public:
    Entrance(IssuePass& issue_pass, const Catalog& catalog, gate::GuessLimiter& guesses,
             gate::AttemptLimiter& attempts, const LimitScope& scope,
             const gate::RatesInForce& rates)
        : issue_pass_(issue_pass),
          catalog_(catalog),
          guesses_(guesses),
          attempts_(attempts),
          scope_(scope),
          rates_(rates) {}

    http::Pending create_challenge(http::Exchange& exchange);
    http::Pending create_pass(http::Exchange& exchange);

  private:
    BoundedClient client_of(const http::Exchange& exchange) const;
    Task<> offer(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                 std::optional<Challenge> wish);
    Task<> issue(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                 IssuePass::Shown shown);

    IssuePass& issue_pass_;
    const Catalog& catalog_;
    gate::GuessLimiter& guesses_;
    gate::AttemptLimiter& attempts_;
    const LimitScope& scope_;
    const gate::RatesInForce& rates_;
};

}  // namespace sluice::api
