#pragma once

#include <string>
#include <utility>

#include "base/encoding.hpp"
#include "domain/ids.hpp"
#include "domain/session_token.hpp"

namespace sluice::redis {

/// The names of our keys. Those of a sale share its hash tag, so they are on one server of a Redis
/// Cluster. A script gets the key `epoch` and derives from it the names of the sale's other keys,
/// and how long they live: lua/prelude.lua.
class Keys {
  public:
    explicit Keys(std::string prefix) : prefix_(std::move(prefix)) {}

    /// A set: the sales that may have a copy.
    std::string sales() const { return prefix_ + "sales"; }

    /// A number: the epoch of the copy that was opened last.
    std::string epoch(SaleId sale) const { return of(sale) + "epoch"; }
    /// A stream: the latest changes of the sale's units, for followers.
    std::string log(SaleId sale) const { return of(sale) + "log"; }

    /// A sorted set: the buyers who have a place, by when it ends. The scripts derive from it the
    /// names of the other keys for places: lua/place_enter.lua.
    std::string places(SaleId sale) const { return of(sale) + "places"; }
    /// A string: the formula that a buyer was given last.
    std::string formula(SaleId sale, UserId buyer) const {
        return of(sale) + "formula:" + buyer.text();
    }

    /// The prefix of the names of counts; each count is a string. Counts are spread over so many
    /// buckets, each of which is on one server of a Redis Cluster.
    static constexpr std::size_t kCountBuckets = 16;
    std::string counts(std::size_t bucket) const {
        return prefix_ + "count:{" + std::to_string(bucket) + "}:";
    }

    /// A string: a code that is out.
    std::string code(const std::string& name) const { return prefix_ + "code:" + name; }

    /// A stream: the latest signals that nodes sent each other about buyers.
    std::string buyer_signals() const { return prefix_ + "buyer_signals"; }

    /// A hash: the copy of a session. lua/session_put.lua names its fields.
    std::string session(const SessionKey& key) const {
        return prefix_ + "session:" + to_base64url(key);
    }

  private:
    std::string of(SaleId sale) const { return prefix_ + '{' + sale.text() + "}:"; }

    const std::string prefix_;
};

}  // namespace sluice::redis
