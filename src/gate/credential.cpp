#include "gate/credential.hpp"

#include "gate/client_address.hpp"

namespace sluice::gate {
namespace {

/// The values of this name in one header field: how many there are, and the last one.
struct Found {
    std::size_t count = 0;
    std::string_view value;
};

void gather(std::string_view field, std::string_view name, Found& found) {
    while (!field.empty()) {
        const auto semicolon = field.find(';');
        auto pair = field.substr(0, semicolon);
        field.remove_prefix(semicolon == field.npos ? field.size() : semicolon + 1);
        while (pair.starts_with(' ')) pair.remove_prefix(1);
        if (!pair.starts_with(name) || pair.size() <= name.size() || pair[name.size()] != '=')
            continue;
        ++found.count;
        found.value = pair.substr(name.size() + 1);
    }
}

}  // namespace

std::string_view the_only_cookie(const http::Request& request, std::string_view name) {
    Found found;
    for (const auto& field : request.fields)
        if (http::equals_ignoring_case(field.name, "Cookie")) gather(field.value, name, found);
    return found.count == 1 ? found.value : std::string_view{};
}

bool came_by_https(const http::Request& request, const Config& config) {
    return config.is_https() || came_over_tls(request, config.http.trusted_proxies);
}

Credential credential_of(const http::Request& request, const Config& config) {
    const auto authorization = request.header("Authorization");
    if (authorization.size() > 7 &&
        http::equals_ignoring_case(authorization.substr(0, 7), "Bearer "))
        return {authorization.substr(7), false};
    return {the_only_cookie(request, cookie_name(came_by_https(request, config))), true};
}

}  // namespace sluice::gate
