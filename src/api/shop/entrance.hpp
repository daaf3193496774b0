#pragma once

#include "app/issue_pass.hpp"
#include "gate/attempt_limiter.hpp"
#include "gate/guess_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// From the challenge to the pass.
class Entrance {
  public:
    Entrance(IssuePass& issue_pass, const Catalog& catalog, gate::GuessLimiter& guesses,
             gate::AttemptLimiter& attempts)
        : issue_pass_(issue_pass), catalog_(catalog), guesses_(guesses), attempts_(attempts) {}

    http::Pending create_challenge(http::Exchange& exchange);
    http::Pending create_pass(http::Exchange& exchange);

  private:
    Task<> offer(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                 std::optional<Challenge> wish);
    Task<> issue(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                 IssuePass::Shown shown);

    IssuePass& issue_pass_;
    const Catalog& catalog_;
    gate::GuessLimiter& guesses_;
    gate::AttemptLimiter& attempts_;
};

}  // namespace sluice::api
