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
inline constexpr std::string_view kDeviceCookie = "sluice_device";

/// The value of the first cookie of that name; empty when there is none.
std::string_view cookie_of(const http::Request& request, std::string_view name);

}  // namespace sluice::gate
