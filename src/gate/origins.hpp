#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "http/exchange.hpp"

namespace sluice::gate {

/// Which web page a request comes from. Browsers tell it, and no page can forge it. Other programs
/// can, but they have no user's cookie to misuse.
class Origins {
  public:
    explicit Origins(const Config& config)
        : public_url_(config.public_url),
          proxies_(config.http.trusted_proxies),
          others_(config.http.cors_origins) {}

    /// Certainly from a page of our own: required of a change that is authorised by the cookie.
    bool is_ours(const http::Request& request) const;

    /// Certainly from a page that is neither ours nor one of the configured ones. Used for requests
    /// without a session, which may come from programs as well as from pages.
    bool is_foreign(const http::Request& request) const;

    /// Tells the browser whether the requesting page may read the answer. The answer never allows
    /// credentials, so the browser neither sends nor keeps the cookie for pages of other sites.
    void mark(http::Exchange& exchange) const;

    /// Answers a preflight, the OPTIONS that a browser sends before a request from such a page.
    /// False if the request is no preflight, or if the page may not send it.
    bool answer_preflight(http::Exchange& exchange, std::string_view allowed_methods) const;

  private:
    bool is_listed(std::string_view origin) const;
    /// The scheme over which the page of this request must have been loaded.
    std::string_view scheme_of(const http::Request& request) const;

    const std::string public_url_;
    const std::vector<Network> proxies_;
    const std::vector<std::string> others_;
};

}  // namespace sluice::gate
