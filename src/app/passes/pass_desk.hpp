#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "app/passes/expiring_table.hpp"
#include "app/passes/waiting_lot.hpp"
#include "base/mutex.hpp"
#include "domain/caller.hpp"
#include "domain/pass.hpp"
#include "domain/refusal.hpp"
#include "ports/entry_desk.hpp"
#include "ports/random.hpp"

namespace sluice {

/// The places of this process and the passes on them, by the rules of EntryDesk. Safe from any
/// thread; its memory is bounded.
class PassDesk {
  public:
    static constexpr auto kLifetime = EntryDesk::kLifetime;
    static constexpr auto kFirstWait = EntryDesk::kFirstWait;
    static constexpr auto kLongestWait = EntryDesk::kLongestWait;
    static constexpr auto kMissedWait = EntryDesk::kMissedWait;
    static constexpr auto kForgiven = EntryDesk::kForgiven;
    static constexpr auto kMostLapses = EntryDesk::kMostLapses;
    static constexpr auto kShortestRetry = EntryDesk::kShortestRetry;
    static constexpr auto kRetriesPerSecond = EntryDesk::kRetriesPerSecond;
    static constexpr auto kGrace = EntryDesk::kGrace;

    PassDesk(const Passes& passes, Random& random) : passes_(passes), random_(random) {}

    using Issued = EntryDesk::Issued;
    using Full = EntryDesk::Full;
    /// A buyer who has a place gets a new pass on it, for the rest of its lifetime; earlier passes
    /// stay valid. Only a purchase on the place gives it a full lifetime again. In a sale with
    /// challenges each call needs a solved one.
    std::expected<Issued, Full> issue(const Caller& buyer, SaleId sale, std::int64_t most_places,
                                      Timestamp now);

    /// The latest pass on the buyer's place, for somebody who lost the reply. nullopt when there is
    /// no place, or when it has bought. It is the same pass again, since each pass buys once:
    /// otherwise one solved challenge would buy as often as its buyer asks.
    std::optional<Issued> renew(const Caller& buyer, SaleId sale, Timestamp now);

    /// The buyer's pass has claimed its units, and the place becomes free. But if the buyer may
    /// claim more, they keep it, since other passes on it may still win.
    void note_claim(UserId buyer, SaleId sale, bool may_claim_more);

    /// Frees the places whose time is over, also of sales for which nobody asks any more, and those
    /// that were given while the clock was ahead. A place lapses only in a sale that `is_selling`:
    /// a buyer who could not buy is not to blame.
    void sweep(Timestamp now, const std::function<bool(SaleId)>& is_selling);

    /// Whether any pass was given out yet.
    bool has_issued() const { return has_issued_.load(std::memory_order_relaxed); }

    /// Whether any place is taken, as of the latest sweep or since.
    bool has_places() const;

    /// Places taken in a sale, as of the latest request for one or the latest sweep.
    std::size_t places(SaleId sale) const;

    /// Over all sales, since the start: passes that lapsed unused.
    std::uint64_t lapses() const { return lapses_.load(std::memory_order_relaxed); }

    /// Over all sales: buyers who wait for a place, as of the latest sweep or since.
    std::size_t waiting() const;

  private:
    struct Place {
        Timestamp until;
        Passes::Nonce nonce{};  // of the latest pass
        bool has_bought = false;
        bool is_drawn = false;  // drawn by lot; its buyer has not come for the pass yet
    };
    struct Lapse {
        unsigned count = 0;
        unsigned missed = 0;  // drawn places that the buyer did not come for
        Full::Why latest = Full::Why::lapsed;
        Timestamp wait_until{};
    };
    struct Gate {
        ExpiringTable<UserId, Place> places;
        ExpiringTable<UserId, Lapse> lapses;
        WaitingLot waiting;

        bool is_empty() const {
            return places.size() == 0 && lapses.size() == 0 && waiting.size() == 0;
        }
    };

    /// Each sale has its counter, so that sales do not wait for each other.
    struct alignas(64) Counter {
        mutable Mutex mutex;
        boost::unordered_flat_map<SaleId, Gate, std::hash<SaleId>> gates GUARDED_BY(mutex);
    };
    static constexpr std::size_t kCounters = 16;

    static std::size_t counter_of(SaleId sale) { return std::hash<SaleId>{}(sale) % kCounters; }

    Issued make_pass(const Caller& buyer, SaleId sale, const Place& place);
    bool free_places(Gate& gate, Timestamp now, std::size_t most, bool is_selling);
    void note_lapse(Gate& gate, UserId buyer, Timestamp at);
    static void note_missed(Gate& gate, UserId buyer, Timestamp at);
    static void keep_lapse(Gate& gate, UserId buyer, const Lapse& lapse);
    void draw_lots(Gate& gate, std::int64_t most_places, Timestamp now);
    std::expected<Place, Full> take_place(Gate& gate, UserId buyer, std::int64_t most_places,
                                          Timestamp now);
    Full wait(Gate& gate, UserId buyer, std::int64_t most_places, Timestamp now);
    std::chrono::seconds spread_retry(std::size_t waiting);

    const Passes& passes_;
    Random& random_;
    std::array<Counter, kCounters> counters_;
    std::atomic<bool> has_issued_ = false;
    std::atomic<std::uint64_t> lapses_ = 0;
};

}  // namespace sluice
