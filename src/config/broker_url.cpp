#include "config/broker_url.hpp"

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "config/config.hpp"

namespace sluice {
namespace {

constexpr std::uint16_t kPort = 5672;
constexpr std::uint16_t kTlsPort = 5671;

}  // namespace

std::optional<BrokerUrl> BrokerUrl::parse(std::string_view text) {
    if (!is_visible_ascii(text)) return std::nullopt;
    const auto parts = UrlParts::split(text);
    if (!parts || (parts->scheme != "amqp" && parts->scheme != "amqps")) return std::nullopt;
    if (!parts->rest.empty() && parts->rest != "/") return std::nullopt;
    const auto at = HostAndPort::parse(parts->authority);
    if (!at || at->port == 0 || !is_plausible_host(at->host)) return std::nullopt;
    const bool is_tls = parts->scheme == "amqps";
    return BrokerUrl{.host = std::string(at->host),
                     .port = at->port.value_or(is_tls ? kTlsPort : kPort),
                     .is_tls = is_tls};
}

bool BrokerUrl::is_local() const {
    return Endpoint{host, 0}.is_loopback();
}

}  // namespace sluice
