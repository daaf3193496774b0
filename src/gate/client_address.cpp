#include "gate/client_address.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace sluice::gate {
namespace {

/// Some proxies add the port: 198.51.100.1:1234, [2001:db8::7]:1234.
std::optional<Address> parse_entry(std::string_view entry) {
    if (const auto address = Address::parse(entry)) return address;
    if (entry.starts_with('[')) return Address::parse(entry.substr(1, entry.find(']') - 1));
    const auto colon = entry.find(':');
    return colon == entry.rfind(':') ? Address::parse(entry.substr(0, colon)) : std::nullopt;
}

}  // namespace

bool is_trusted_proxy(const Address& address, const std::vector<Network>& proxies) {
    return std::ranges::any_of(proxies, [&](const Network& n) { return n.contains(address); });
}

Address client_address(const http::Request& request, const std::vector<Network>& proxies) {
    Address client = request.peer;
    if (proxies.empty() || !is_trusted_proxy(client, proxies)) return client;
    // Several header fields of this name form one list; the last field is nearest to us.
    for (auto field = request.fields.rbegin(); field != request.fields.rend(); ++field) {
        if (!http::equals_ignoring_case(field->name, "X-Forwarded-For")) continue;
        auto list = field->value;
        while (!list.empty()) {
            const auto comma = list.rfind(',');
            const auto entry = trim(comma == list.npos ? list : list.substr(comma + 1));
            list = comma == list.npos ? std::string_view{} : list.substr(0, comma);
            if (entry.empty()) continue;  // lists may have empty elements
            const auto address = parse_entry(entry);
            if (!address) return client;
            client = *address;
            if (!is_trusted_proxy(client, proxies)) return client;
        }
    }
    return client;
}

bool came_over_tls(const http::Request& request, const std::vector<Network>& proxies) {
    if (!is_trusted_proxy(request.peer, proxies)) return false;
    // The first in the list is what the outermost proxy saw.
    const auto list = request.header("X-Forwarded-Proto");
    return http::equals_ignoring_case(trim(list.substr(0, list.find(','))), "https");
}

}  // namespace sluice::gate
