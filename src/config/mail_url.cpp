#include "config/mail_url.hpp"

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "config/config.hpp"

namespace sluice {
namespace {

constexpr std::uint16_t kStartTlsPort = 587;
constexpr std::uint16_t kMailTlsPort = 465;
constexpr std::size_t kLongestMailAddress = 254;

}  // namespace

std::optional<MailUrl> MailUrl::parse(std::string_view text) {
    if (!is_visible_ascii(text)) return std::nullopt;
    const auto parts = UrlParts::split(text);
    if (!parts || (parts->scheme != "smtp" && parts->scheme != "smtps")) return std::nullopt;
    if (!parts->rest.empty() && parts->rest != "/") return std::nullopt;
    const auto at = HostAndPort::parse(parts->authority);
    if (!at || at->port == 0 || !is_plausible_host(at->host)) return std::nullopt;
    const bool is_tls = parts->scheme == "smtps";
    return MailUrl{.host = std::string(at->host),
                   .port = at->port.value_or(is_tls ? kMailTlsPort : kStartTlsPort),
                   .is_tls = is_tls};
}

bool MailUrl::is_local() const {
    return Endpoint{host, 0}.is_loopback();
}

bool is_mail_address(std::string_view text) {
    const auto at = text.find('@');
    if (at == 0 || at == text.npos || text.size() > kLongestMailAddress) return false;
    if (!is_visible_ascii(text) || text.find_first_of("<>()[],;:\\\"") != text.npos) return false;
    const auto host = HostAndPort::parse(text.substr(at + 1));
    return host && !host->port;
}

}  // namespace sluice
