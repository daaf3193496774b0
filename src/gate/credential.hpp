#pragma once

#include <string_view>

#include "config/config.hpp"
#include "http/request.hpp"

namespace sluice::gate {

/// The token that came with a request; empty if there was none.
struct Credential {
    std::string_view token;
    bool from_cookie = false;
};

/// The Authorization header counts before the cookie. If two cookies have the name, neither counts:
/// another host of the same domain, or a page over plain http, may have set one of them.
Credential credential_of(const http::Request& request, const Config& config);

/// Whether the browser uses https: by the configuration, or because a trusted proxy says so.
bool came_by_https(const http::Request& request, const Config& config);

/// The value of the cookie of that name; empty when there is none, or more than one.
std::string_view the_only_cookie(const http::Request& request, std::string_view name);

/// The session's cookie. Browsers accept a cookie with the prefix __Host- only over https, from the
/// host itself and for that host alone.
constexpr std::string_view cookie_name(bool https) {
    return https ? "__Host-sluice_session" : "sluice_session";
}
/// The cookie by which a device is recognised, with the prefix for the same reason.
constexpr std::string_view device_cookie_name(bool https) {
    return https ? "__Host-sluice_device" : "sluice_device";
}

}  // namespace sluice::gate
