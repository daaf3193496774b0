#pragma once

#include "app/accounts/second_factors.hpp"
#include "gate/log_in_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The caller's own second factor. Only for staff.
class SecondFactorDesk {
  public:
    /// Passwords and first codes are counted by the first limiter, codes that count by the other.
    SecondFactorDesk(SecondFactors& factors, gate::LogInLimiter& limiter,
                     gate::LogInLimiter& factor_limiter)
        : factors_(factors), limiter_(limiter), factor_limiter_(factor_limiter) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending begin(http::Exchange& exchange);
    http::Pending confirm(http::Exchange& exchange);
    http::Pending remove(http::Exchange& exchange);

  private:
    Task<> describe(http::Exchange& exchange, UserId user);
    Task<> carry_out_begin(http::Exchange& exchange, std::string password);
    Task<> carry_out_confirm(http::Exchange& exchange, std::string code);
    Task<> carry_out_remove(http::Exchange& exchange, std::string code);
    bool is_buyer(http::Exchange& exchange) const;
    using Secret = gate::LogInLimiter::Secret;
    gate::LogInLimiter& limiter_of(Secret secret);
    /// Wrong codes and passwords are counted as at the log-in; true when the exchange is answered.
    bool guesses_too_fast(http::Exchange& exchange, Secret secret = Secret::second_factor);
    /// When all nodes are asked.
    Task<bool> guesses_too_fast_elsewhere(http::Exchange& exchange,
                                          Secret secret = Secret::second_factor);
    Task<Done> forgive(const http::Exchange& exchange, Secret secret = Secret::second_factor);

    SecondFactors& factors_;
    gate::LogInLimiter& limiter_;
    gate::LogInLimiter& factor_limiter_;
};

}  // namespace sluice::api
