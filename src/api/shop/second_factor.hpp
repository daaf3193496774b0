#pragma once

#include "app/own_password.hpp"
#include "app/second_factors.hpp"
#include "config/config.hpp"
#include "gate/log_in_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The caller's own second factor. For operators and admins: buyers have no use for one.
class SecondFactorDesk {
  public:
    SecondFactorDesk(const Config& config, SecondFactors& factors, UserLedger& users,
                     PasswordHasher& hasher, gate::LogInLimiter& limiter)
        : config_(config), factors_(factors), users_(users), hasher_(hasher), limiter_(limiter) {}

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
    /// Wrong codes and passwords are counted as at the log-in; true when the exchange is answered.
    bool guesses_too_fast(http::Exchange& exchange);
    void forgive(const http::Exchange& exchange);

    const Config& config_;
    SecondFactors& factors_;
    UserLedger& users_;
    PasswordHasher& hasher_;
    gate::LogInLimiter& limiter_;
};

}  // namespace sluice::api
