#pragma once

#include "app/log_in.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class Sessions {
  public:
    Sessions(LogIn& login, SessionStore& store, bool secure_cookies)
        : login_(login), store_(store), secure_cookies_(secure_cookies) {}

    http::Pending log_in(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending log_out(http::Exchange& exchange);

  private:
    Task<> open(http::Exchange& exchange, std::string phone, std::string password);
    Task<> close(http::Exchange& exchange, SessionKey key);
    void set_cookie(http::Response& response, std::string_view token) const;

    LogIn& login_;
    SessionStore& store_;
    const bool secure_cookies_;
};

}  // namespace sluice::api
