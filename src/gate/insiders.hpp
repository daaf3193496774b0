#pragma once

#include <array>

#include "config/config.hpp"
#include "domain/session_token.hpp"
#include "http/exchange.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice::gate {

/// Who may see metrics and details of readiness: this machine itself, the configured networks,
/// holders of the configured token, and operators who are logged in (with their second factor where
/// this server asks for one). Safe from any thread.
class Insiders {
  public:
    Insiders(const Config& config, const SessionTokens& tokens, SessionStore& sessions,
             const Clock& clock);

    bool include(const http::Exchange& exchange) const;

  private:
    using Digest = std::array<unsigned char, 32>;

    bool is_this_machine(const http::Exchange& exchange) const;
    bool has_token(std::string_view token) const;
    bool is_operator(std::string_view token) const;

    const Config& config_;
    const std::optional<Digest> token_;
    const SessionTokens& tokens_;
    SessionStore& sessions_;
    const Clock& clock_;
};

}  // namespace sluice::gate
