#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/pass_keys.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// The hidden purchase address (通行证), valid for one buyer and one sale for a short time. It
/// contains the id of its key, its expiry, a nonce and a MAC over these and over buyer and sale.
/// These two are known from the request, so a pass that somebody else sends does not verify. It is
/// longer valid than a session, since a used pass must find its ticket after the next log-in too.
struct Pass {
    Timestamp expires_at;
    Mark mark;  // the MAC, which names the pass in the journal
};

class Passes {
  public:
    using Nonce = std::array<unsigned char, 8>;

    /// With whatever keys the ring has at that moment.
    explicit Passes(const PassKeyRing& keys) : keys_(keys) {}

    std::string make(UserId buyer, SaleId sale, Timestamp expires_at, const Nonce& nonce) const;

    /// nullopt when it is not ours, or not for this buyer and sale. The caller decides whether it
    /// has expired: a used pass still finds its ticket. Allocates nothing.
    std::optional<Pass> read(std::string_view text, UserId buyer, SaleId sale) const;

  private:
    const PassKeyRing& keys_;
};

}  // namespace sluice
