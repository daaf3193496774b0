#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

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
    /// A buyer who has a place gets another pass on it; earlier ones stay valid.
    std::expected<Issued, Full> issue(const Caller& buyer, SaleId sale, std::int64_t most_places,
                                      Timestamp now);

    /// The buyer's pass has claimed its units.
    void vacate(UserId buyer, SaleId sale);

    std::size_t places(SaleId sale) const;

  private:
    struct Line {
        boost::unordered_flat_map<UserId, Timestamp, std::hash<UserId>> places;  // until when
        std::deque<std::pair<Timestamp, UserId>> expiries;  // in order; may be out of date
    };
    static void clear_expired(Line& line, Timestamp now);

    const Passes& passes_;
    Random& random_;
    mutable std::mutex mutex_;
    boost::unordered_flat_map<SaleId, Line, std::hash<SaleId>> lines_;  // under mutex_
};

}  // namespace sluice
