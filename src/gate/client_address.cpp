#include "gate/client_address.hpp"

#include <algorithm>

namespace sluice::gate {
namespace {

bool is_trusted(const Address& address, const std::vector<Network>& proxies) {
    return std::ranges::any_of(proxies, [&](const Network& n) { return n.contains(address); });
}

}  // namespace

Address client_address(const http::Request& request, const std::vector<Network>& proxies) {
    Address client = request.peer;
    if (proxies.empty() || !is_trusted(client, proxies)) return client;
    // Several fields of the name are one list, the last field being the nearest.
    for (auto field = request.fields.rbegin(); field != request.fields.rend(); ++field) {
        if (!http::equals_ignoring_case(field->name, "X-Forwarded-For")) continue;
        auto list = field->value;
        while (!list.empty()) {
            const auto comma = list.rfind(',');
            auto entry = comma == list.npos ? list : list.substr(comma + 1);
            list = comma == list.npos ? std::string_view{} : list.substr(0, comma);
            while (entry.starts_with(' ')) entry.remove_prefix(1);
            while (entry.ends_with(' ')) entry.remove_suffix(1);
            const auto address = Address::parse(entry);
            if (!address) return client;
            client = *address;
            if (!is_trusted(client, proxies)) return client;
        }
    }
    return client;
}

}  // namespace sluice::gate
