#include "gate/insiders.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/encoding.hpp"
#include "gate/client_address.hpp"
#include "gate/credential.hpp"

namespace sluice::gate {
namespace {

std::array<unsigned char, 32> digest_of(std::string_view text) {
    std::array<unsigned char, 32> digest;
    crypto_generichash(digest.data(), digest.size(), bytes_of(text).data(), text.size(), nullptr,
                       0);
    return digest;
}

/// Header fields that proxies add when they forward a request.
bool was_handed_on(const http::Request& request) {
    constexpr std::string_view marks[] = {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"};
    return std::ranges::any_of(marks,
                               [&](auto mark) { return request.find_header(mark).has_value(); });
}

}  // namespace

Insiders::Insiders(const Config& config, const SessionTokens& tokens, SessionStore& sessions,
                   const Clock& clock)
    : config_(config),
      token_(config.machine_room.token.empty()
                 ? std::nullopt
                 : std::optional(digest_of(config.machine_room.token))),
      tokens_(tokens),
      sessions_(sessions),
      clock_(clock) {}

bool Insiders::include(const http::Exchange& exchange) const {
    if (is_this_machine(exchange)) return true;
    const auto& networks = config_.machine_room.networks;
    if (std::ranges::any_of(networks,
                            [&](const Network& n) { return n.contains(exchange.client); }))
        return true;
    const auto token = credential_of(exchange.request, config_).token;
    return !token.empty() && (has_token(token) || is_operator(token));
}

/// A proxy on this machine makes every client look local unless it is trusted to name the client.
/// With https there is certainly a proxy, since we do not speak TLS.
bool Insiders::is_this_machine(const http::Exchange& exchange) const {
    if (!is_loopback(exchange.client)) return false;
    const auto& proxies = config_.http.trusted_proxies;
    if (is_trusted_proxy(exchange.request.peer, proxies)) return true;
    const bool hidden_proxy = config_.is_https() && proxies.empty();
    return !hidden_proxy && !was_handed_on(exchange.request);
}

/// Compares digests, so that the time taken reveals nothing about the token.
bool Insiders::has_token(std::string_view token) const {
    if (!token_) return false;
    const auto given = digest_of(token);
    return sodium_memcmp(given.data(), token_->data(), given.size()) == 0;
}

/// Looks only into memory: monitoring must not become a way to make the ledger read. The console's
/// other requests bring its session into memory.
bool Insiders::is_operator(std::string_view token) const {
    if (!SessionTokens::may_be_token(token)) return false;
    const auto caller = sessions_.peek(tokens_.handle_of(token), clock_.now());
    return caller && may_operate(caller->role) && !caller->lacks_second_factor;
}

}  // namespace sluice::gate
