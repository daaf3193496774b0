#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "app/expiring_table.hpp"
#include "base/mutex.hpp"
#include "domain/caller.hpp"
#include "domain/pass.hpp"
#include "domain/refusal.hpp"
#include "ports/random.hpp"

namespace sluice {

/// Gives out passes (秒杀大闸): never more places than can still win, one for each buyer. A place
/// is free again when its pass has claimed its units or has expired. Safe from any thread; its
/// memory is bounded by the places given out.
class PassDesk {
  public:
    static constexpr std::chrono::seconds kLifetime{60};

    PassDesk(const Passes& passes, Random& random) : passes_(passes), random_(random) {}

    struct Issued {
        std::string pass;
        Timestamp expires_at;
    };
    struct Full {
        std::chrono::seconds retry_after;
    };
    /// A buyer who has a place keeps it for a full lifetime from now, and gets a new pass on it;
    /// earlier ones stay valid. In a sale with a challenge one is solved for each call.
    std::expected<Issued, Full> issue(const Caller& buyer, SaleId sale, std::int64_t most_places,
                                      Timestamp now);

    /// The latest pass on the place that the buyer has: for somebody who lost the reply. nullopt
    /// when there is no place, or it has bought. It is the same pass, since each pass buys once:
    /// one solved challenge would otherwise buy as often as its buyer asked. It does not last
    /// longer for it, or one solved challenge would keep a place for ever.
    std::optional<Issued> renew(const Caller& buyer, SaleId sale, Timestamp now);

    /// The buyer's pass has claimed its units, and the place is free. Unless they may claim more:
    /// then it stays theirs, since other passes may be out on it that can still win.
    void note_claim(UserId buyer, SaleId sale, bool may_claim_more);

    /// Frees the places whose time is over, also of sales for which nobody asks any more; and those
    /// that were given by a clock which has been set back since.
    void sweep(Timestamp now);

    /// Whether anybody was given a pass yet.
    bool has_issued() const { return has_issued_.load(std::memory_order_relaxed); }

    /// Whether any place is taken, as of the latest sweep or since.
    bool has_places() const;

    /// Places taken in a sale, as of the latest request for one or sweep.
    std::size_t places(SaleId sale) const;

  private:
    struct Place {
        Timestamp until;
        Passes::Nonce nonce{};  // of the latest pass
        bool has_bought = false;
    };
    using Places = ExpiringTable<UserId, Place>;

    Issued make_pass(const Caller& buyer, SaleId sale, const Place& place);

    const Passes& passes_;
    Random& random_;
    /// Each sale has its counter, so that they do not wait for each other.
    struct alignas(64) Counter {
        mutable Mutex mutex;
        boost::unordered_flat_map<SaleId, Places, std::hash<SaleId>> places GUARDED_BY(mutex);
    };
    static constexpr std::size_t kCounters = 16;

    static std::size_t counter_of(SaleId sale) { return std::hash<SaleId>{}(sale) % kCounters; }

    std::array<Counter, kCounters> counters_;
    std::atomic<bool> has_issued_ = false;
};

}  // namespace sluice
