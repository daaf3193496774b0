#pragma once

#include <string>
#include <string_view>

#include "http/request.hpp"

namespace sluice::api {

/// The URL by which a browser finds `url`, which may be a path of this server. `public_url` is
/// where browsers find the server; empty: taken from the request.
inline std::string absolute_url(const http::Request& request, std::string_view public_url,
                                std::string_view url) {
    if (!url.starts_with('/')) return std::string(url);
    if (!public_url.empty()) return std::string(public_url).append(url);
    return std::string("http://").append(request.authority).append(url);
}

}  // namespace sluice::api
