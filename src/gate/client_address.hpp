#pragma once

#include <vector>

#include "base/address.hpp"
#include "http/request.hpp"

namespace sluice::gate {

/// The client's address. X-Forwarded-For is believed only as far as trusted proxies wrote it: read
/// from the right, the client is the first address that is not a trusted proxy.
Address client_address(const http::Request&, const std::vector<Network>& trusted_proxies);

/// Whether the client came over TLS, as the trusted proxy before us says.
bool came_over_tls(const http::Request&, const std::vector<Network>& trusted_proxies);

bool is_trusted_proxy(const Address&, const std::vector<Network>& trusted_proxies);

}  // namespace sluice::gate
