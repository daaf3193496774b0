#include "api/shop/device_cookies.hpp"

#include "gate/client_address.hpp"
#include "gate/credential.hpp"

namespace sluice::api {
namespace {

/// Half a year: then its owner counts as a stranger again, until they log in.
constexpr std::string_view kTraits = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000";

}  // namespace

std::optional<DeviceId> DeviceCookies::recognise(const http::Exchange& exchange,
                                                 std::string_view phone) const {
    return tokens_.recognise(gate::cookie_of(exchange.request, gate::kDeviceCookie), phone);
}

void DeviceCookies::set(http::Exchange& exchange, std::string_view phone,
                        const std::optional<DeviceId>& known) const {
    DeviceId device;
    if (known)
        device = *known;
    else
        random_.fill(device);
    std::string cookie(gate::kDeviceCookie);
    cookie.append("=").append(tokens_.make(device, phone)).append(kTraits);
    if (config_.secure_cookies() ||
        gate::came_over_tls(exchange.request, config_.http.trusted_proxies))
        cookie += "; Secure";
    exchange.response.add_header("Set-Cookie", cookie);
}

}  // namespace sluice::api
