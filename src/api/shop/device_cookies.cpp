#include "api/shop/device_cookies.hpp"

#include "api/shop/party.hpp"
#include "gate/credential.hpp"

namespace sluice::api {
namespace {

/// Half a year. After that the owner counts as a stranger until the next log-in.
constexpr std::string_view kTraits = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000";

}  // namespace

std::optional<DeviceId> DeviceCookies::recognise(const http::Exchange& exchange,
                                                 std::string_view phone) const {
    const auto name = gate::device_cookie_name(gate::came_by_https(exchange.request, config_));
    return tokens_.recognise(gate::the_only_cookie(exchange.request, name), phone);
}

CodeBearer DeviceCookies::bearer(const http::Exchange& exchange, std::string_view phone) const {
    const auto device = recognise(exchange, phone);
    return {.name = device ? name_of(*device) : party_of(exchange.client),
            .is_device = device.has_value()};
}

void DeviceCookies::set(http::Exchange& exchange, std::string_view phone,
                        const std::optional<DeviceId>& known) const {
    DeviceId device;
    if (known)
        device = *known;
    else
        random_.fill(device);
    const bool https = gate::came_by_https(exchange.request, config_);
    std::string cookie(gate::device_cookie_name(https));
    cookie.append("=").append(tokens_.make(device, phone)).append(kTraits);
    if (https) cookie += "; Secure";
    exchange.response.add_header("Set-Cookie", cookie);
}

}  // namespace sluice::api
