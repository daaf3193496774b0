#pragma once

#include "app/log_in.hpp"
#include "config/config.hpp"
#include "gate/log_in_limiter.hpp"
#include "gate/origins.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class Sessions {
  public:
    Sessions(const Config& config, LogIn& login, SessionStore& store, const SessionTokens& tokens,
             gate::LogInLimiter& limiter, const Clock& clock)
        : config_(config),
          origins_(config),
          login_(login),
          store_(store),
          tokens_(tokens),
          limiter_(limiter),
          clock_(clock) {}

    http::Pending log_in(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending log_out(http::Exchange& exchange);
    http::Pending log_out_everywhere(http::Exchange& exchange);

  private:
    Task<> describe(http::Exchange& exchange, Caller caller);
    Task<> open(http::Exchange& exchange, std::string phone, std::string password);
    Task<> close(http::Exchange& exchange, SessionKey key);
    Task<> close_all(http::Exchange& exchange, UserId user);
    void set_cookie(http::Exchange& exchange, std::string_view token) const;

    const Config& config_;
    const gate::Origins origins_;
    LogIn& login_;
    SessionStore& store_;
    const SessionTokens& tokens_;
    gate::LogInLimiter& limiter_;
    const Clock& clock_;
};

}  // namespace sluice::api
