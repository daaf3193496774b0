#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

#include <boost/container_hash/hash.hpp>

#include "app/passes/expiring_table.hpp"
#include "base/mutex.hpp"
#include "domain/phone.hpp"
#include "domain/sale.hpp"
#include "ports/buyer_list_ledger.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Who is on the list of a sale. Asks the ledger once for each buyer and remembers the answer for a
/// short while, so that strangers who come again and again cost no read. An answer counts only for
/// the list_version with which it was asked: a change counts on a node as soon as its catalog shows
/// the changed sale, and without that after kLife. Safe from any thread; its memory is bounded.
class ListedBuyers {
  public:
    static constexpr std::chrono::seconds kLife{30};
    /// Answers in memory. Past that the oldest ones are asked for again.
    static constexpr std::size_t kMost = 262'144;

    ListedBuyers(BuyerListLedger& ledger, const PhoneForm& form, const Clock& clock)
        : ledger_(ledger), form_(form), clock_(clock) {}

    /// The answer, if it is known without asking.
    std::optional<bool> peek(const Sale& sale, UserId buyer);

    /// Asks the ledger if it is not known. Throws Outage or Overload, and then remembers nothing.
    Task<bool> ask(const Sale& sale, UserId buyer);

    std::size_t known() const;

  private:
    struct Key {
        SaleId sale;
        UserId buyer;

        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            std::size_t seed = std::hash<SaleId>{}(key.sale);
            boost::hash_combine(seed, std::hash<UserId>{}(key.buyer));
            return seed;
        }
    };
    struct Answer {
        std::int64_t list_version = 0;
        bool is_listed = false;
    };
    /// Buyers are dealt out to shelves, so that event loops seldom wait for each other.
    struct alignas(64) Shelf {
        mutable Mutex mutex;
        ExpiringTable<Key, Answer, KeyHash> answers GUARDED_BY(mutex);
    };
    static constexpr std::size_t kShelves = 16;

    Shelf& shelf_of(UserId buyer) { return shelves_[std::hash<UserId>{}(buyer) >> 60U]; }

    BuyerListLedger& ledger_;
    const PhoneForm form_;
    const Clock& clock_;
    std::array<Shelf, kShelves> shelves_;
};

}  // namespace sluice
