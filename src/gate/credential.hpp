#pragma once

#include <string_view>

#include "http/request.hpp"

namespace sluice::gate {

/// The token that came with a request, or nothing.
struct Credential {
    std::string_view token;
    bool from_cookie = false;
};

/// The Authorization header counts before the cookie.
Credential credential_of(const http::Request& request);

inline constexpr std::string_view kCookie = "sluice_session";

}  // namespace sluice::gate
