#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "app/expiring_table.hpp"
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
    /// A buyer who has a place keeps it for a full lifetime from now, and gets another pass on it;
    /// earlier ones stay valid.
    std::expected<Issued, Full> issue(const Caller& buyer, SaleId sale, std::int64_t most_places,
                                      Timestamp now);

    /// Another pass on the place that the buyer has, until that place ends: for somebody who lost
    /// the first one. nullopt when there is no place. It does not last longer for it, or one solved
    /// challenge would keep a place for ever.
    std::optional<Issued> renew(const Caller& buyer, SaleId sale, Timestamp now);

    /// The buyer's pass has claimed its units.
    void vacate(UserId buyer, SaleId sale);

    std::size_t places(SaleId sale) const;

  private:
    using Places = ExpiringTable<UserId, Timestamp>;  // until when

    Issued make_pass(const Caller& buyer, SaleId sale, Timestamp expires_at);

    const Passes& passes_;
    Random& random_;
    mutable std::mutex mutex_;
    boost::unordered_flat_map<SaleId, Places, std::hash<SaleId>> places_;  // under mutex_
};

}  // namespace sluice
