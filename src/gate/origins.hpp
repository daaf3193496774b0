#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "http/exchange.hpp"

namespace sluice::gate {

/// Which web page a request comes from. Browsers say so, and no page can forge it; other programs
/// can, but they have no user's cookie to misuse.
class Origins {
  public:
    explicit Origins(const Config& config)
        : public_url_(config.public_url),
          proxies_(config.http.trusted_proxies),
          others_(config.http.cors_origins) {}

    /// Certainly from a page of our own: what a change with the cookie has to show.
    bool is_ours(const http::Request& request) const;

    /// Certainly from a page that is neither ours nor one of the configured ones. For what comes
    /// without a session, from programs as well as pages.
    bool is_foreign(const http::Request& request) const;

    /// Tells the browser whether the page that asks may read the answer. Nothing is ever said of
    /// credentials, so it neither sends nor keeps the cookie for other sites' pages.
    void mark(http::Exchange& exchange) const;

    /// Answers a preflight, the OPTIONS that a browser sends before a request from such a page.
    /// False if the request is no preflight, or if the page may not send it.
    bool answer_preflight(http::Exchange& exchange, std::string_view allowed_methods) const;

  private:
    bool is_listed(std::string_view origin) const;
    /// The scheme by which the page of this request must have come.
    std::string_view scheme_of(const http::Request& request) const;

    const std::string public_url_;
    const std::vector<Network> proxies_;
    const std::vector<std::string> others_;
};

}  // namespace sluice::gate
