#include "gate/credential.hpp"

namespace sluice::gate {
namespace {

std::string_view cookie(std::string_view header, std::string_view name) {
    while (!header.empty()) {
        const auto semicolon = header.find(';');
        auto pair = header.substr(0, semicolon);
        header.remove_prefix(semicolon == header.npos ? header.size() : semicolon + 1);
        while (pair.starts_with(' ')) pair.remove_prefix(1);
        if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=')
            return pair.substr(name.size() + 1);
    }
    return {};
}

}  // namespace

std::string_view cookie_of(const http::Request& request, std::string_view name) {
    return cookie(request.header("Cookie"), name);
}

Credential credential_of(const http::Request& request) {
    const auto authorization = request.header("Authorization");
    if (authorization.size() > 7 &&
        http::equals_ignoring_case(authorization.substr(0, 7), "Bearer "))
        return {authorization.substr(7), false};
    return {cookie(request.header("Cookie"), kCookie), true};
}

}  // namespace sluice::gate
