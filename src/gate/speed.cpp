#include "gate/speed.hpp"

#include <cstring>

#include <sodium.h>

#include "gate/id_in_path.hpp"

namespace sluice::gate {
namespace {

using http::Code;

bool turned_away(http::Exchange& exchange, const Headroom& headroom, Code code) {
    if (!headroom.waits()) return false;
    refuse(exchange, headroom, code);
    return true;
}

}  // namespace

std::optional<Quota> Speed::node_quota(const http::Exchange& exchange) const {
    const auto quota = rates_.for_node();
    if (!quota || !scope_.enabled() || !is_for_shoppers(exchange.route->rate)) return std::nullopt;
    return quota;
}

bool Speed::node_is_full(http::Exchange& exchange) const {
    const auto quota = node_quota(exchange);
    if (!quota) return false;
    const auto key = key_of(Kind::node, nullptr, 0, exchange);
    return turned_away(exchange, {"node", *quota, own_limiter_.look(key, *quota, exchange.began)},
                       Code::busy);
}

bool Speed::node_gets_full(http::Exchange& exchange) {
    const auto quota = node_quota(exchange);
    if (!quota) return false;
    const auto key = key_of(Kind::node, nullptr, 0, exchange);
    return turned_away(exchange, {"node", *quota, own_limiter_.count(key, *quota, exchange.began)},
                       Code::busy);
}

bool Speed::address_too_fast(http::Exchange& exchange, Standing standing, Headroom& nearest) {
    if (!scope_.enabled()) return false;
    const auto& client = exchange.client;
    if (scope_.exempts(client)) return false;
    // Checked before the household is counted: a refused request is counted nowhere.
    const bool has_site = !client.is_v4();
    if (has_site && site_is_full(exchange, standing)) return true;
    const auto quota = rates_.by_address(exchange.route->rate);
    const auto key = key_of(Kind::address, household_of(client), exchange, standing);
    nearest = {"address", quota, count(key, exchange, quota)};
    if (turned_away(exchange, nearest, Code::rate_limited)) return true;
    return has_site && site_gets_full(exchange, standing, nearest);
}

bool Speed::site_is_full(http::Exchange& exchange, Standing standing) const {
    const auto quota = rates_.by_site(exchange.route->rate);
    const auto key = key_of(Kind::site, site_of(exchange.client), exchange, standing);
    return turned_away(exchange, {"site", quota, limiter_.look(key, quota, exchange.began)},
                       Code::rate_limited);
}

bool Speed::site_gets_full(http::Exchange& exchange, Standing standing, Headroom& nearest) {
    const auto quota = rates_.by_site(exchange.route->rate);
    const auto key = key_of(Kind::site, site_of(exchange.client), exchange, standing);
    const Headroom headroom{"site", quota, count(key, exchange, quota)};
    if (!nearest.is_nearer_its_bound_than(headroom)) nearest = headroom;
    return turned_away(exchange, headroom, Code::rate_limited);
}

Headroom Speed::headroom_of_address(const http::Exchange& exchange, Standing standing) const {
    if (!scope_.enabled() || scope_.exempts(exchange.client)) return {};
    const auto quota = rates_.by_address(exchange.route->rate);
    const auto key = key_of(Kind::address, household_of(exchange.client), exchange, standing);
    auto headroom = limiter_.look(key, quota, exchange.began);
    headroom.wait = {};
    return {"address", quota, headroom};
}

bool Speed::claim_too_fast(http::Exchange& exchange, const TokenHandle& handle) {
    if (!scope_.enabled()) return false;
    const auto quota = rates_.by_buyer(exchange.route->rate);
    const auto key = key_of(Kind::claim, handle.data(), handle.size(), exchange);
    return turned_away(exchange, {"buyer", quota, count(key, exchange, quota)}, Code::rate_limited);
}

bool Speed::buyer_too_fast(http::Exchange& exchange, UserId buyer, Headroom& nearest) {
    if (!scope_.enabled()) return false;
    const auto quota = rates_.by_buyer(exchange.route->rate);
    const auto key = key_of(Kind::buyer, &buyer.value, sizeof buyer.value, exchange);
    const Headroom headroom{"buyer", quota, count(key, exchange, quota)};
    if (turned_away(exchange, headroom, Code::rate_limited)) return true;
    if (!nearest.is_nearer_its_bound_than(headroom)) nearest = headroom;
    return false;
}

bool Speed::sale_is_full(http::Exchange& exchange) {
    const auto quota = rates_.by_sale();
    if (!quota || !scope_.enabled() || exchange.route->rate != RateClass::buying) return false;
    const auto sale = find_id_in_path<SaleId>(exchange);
    if (!sale) return false;  // the handler says that there is none
    const auto key = key_of(Kind::sale, &sale->value, sizeof sale->value, exchange);
    const Headroom headroom{"sale", quota, own_limiter_.count(key, quota, exchange.began)};
    return turned_away(exchange, headroom, Code::busy);
}

std::uint64_t Speed::key_of(Kind kind, const void* who, std::size_t size,
                            const http::Exchange& exchange, Standing standing) const {
    // Hashed with a key, so that nobody can choose whom to collide with.
    unsigned char text[24] = {};
    if (size > 0) std::memcpy(text, who, size);
    const bool by_route = kind != Kind::sale && kind != Kind::node;
    const auto route = static_cast<std::uint32_t>(by_route ? exchange.route_index : 0);
    std::memcpy(text + 16, &route, sizeof route);
    text[20] = static_cast<unsigned char>(kind);
    text[21] = static_cast<unsigned char>(standing);
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text, sizeof text, hash_key_.data());
    return key;
}

std::uint64_t Speed::key_of(Kind kind, const Network& network, const http::Exchange& exchange,
                            Standing standing) const {
    const auto& bytes = network.base.bytes;
    return key_of(kind, bytes.data(), bytes.size(), exchange, standing);
}

RateLimiter::Count Speed::count(std::uint64_t key, const http::Exchange& exchange, Quota quota) {
    return limiter_.count(key, quota, exchange.began);
}

}  // namespace sluice::gate
