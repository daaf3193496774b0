#pragma once

#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/timestamp.hpp"

namespace sluice {

/// Values that are forgotten when their time is over. Memory is bounded by the number of live
/// entries, however often one is renewed or replaced. Not safe from several threads: its owner
/// locks.
template <class Key, class Value, class Hash = std::hash<Key>>
class ExpiringTable {
  public:
    /// nullptr when there is none, or when its time is over.
    Value* find(const Key& key, Timestamp now) {
        forget_expired(now);
        const auto at = entries_.find(key);
        return at == entries_.end() ? nullptr : &at->second.value;
    }

    /// Replaces what the key had before.
    void put(const Key& key, Value value, Timestamp expires_at) {
        erase(key);
        entries_.emplace(key, Entry{std::move(value), expires_at});
        by_expiry_.emplace(expires_at, key);
    }

    void erase(const Key& key) {
        const auto at = entries_.find(key);
        if (at == entries_.end()) return;
        by_expiry_.erase({at->second.expires_at, key});
        entries_.erase(at);
    }

    /// Forgets at most `most` entries whose time is over; returns whether there may be more. Calls
    /// `each` with key and value of each.
    template <class Each>
    bool forget_some(Timestamp now, std::size_t most, Each each) {
        for (; most > 0 && !by_expiry_.empty() && by_expiry_.begin()->first <= now; --most) {
            const auto at = entries_.find(by_expiry_.begin()->second);
            each(at->first, at->second.value);
            entries_.erase(at);
            by_expiry_.erase(by_expiry_.begin());
        }
        return most == 0;
    }
    bool forget_some(Timestamp now, std::size_t most) {
        return forget_some(now, most, [](const Key&, const Value&) {});
    }

    /// Forgets the entry that expires first.
    void forget_first() {
        if (by_expiry_.empty()) return;
        entries_.erase(by_expiry_.begin()->second);
        by_expiry_.erase(by_expiry_.begin());
    }

    /// Forgets entries that expire after `latest`: they were put in while the clock was ahead.
    void forget_beyond(Timestamp latest) {
        while (!by_expiry_.empty() && by_expiry_.rbegin()->first > latest) {
            entries_.erase(by_expiry_.rbegin()->second);
            by_expiry_.erase(std::prev(by_expiry_.end()));
        }
    }

    /// As of the latest find().
    std::size_t size() const { return entries_.size(); }

  private:
    struct Entry {
        Value value;
        Timestamp expires_at;
    };

    void forget_expired(Timestamp now) {
        forget_some(now, std::numeric_limits<std::size_t>::max());
    }

    boost::unordered_flat_map<Key, Entry, Hash> entries_;
    std::set<std::pair<Timestamp, Key>> by_expiry_;
};

}  // namespace sluice
