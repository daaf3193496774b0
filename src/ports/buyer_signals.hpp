#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "base/subscription.hpp"
#include "domain/ids.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Names a ticket or an order of a buyer that was made or changed.
struct BuyerSignal {
    UserId buyer;
    std::variant<TicketId, OrderId> what;

    friend auto operator<=>(const BuyerSignal&, const BuyerSignal&) = default;
};

/// How nodes tell each other that the ledger has something new for a buyer. A signal may be lost or
/// come twice, and contains only names: whoever receives it asks the ledger.
class BuyerSignals {
  public:
    virtual ~BuyerSignals() = default;

    /// Sends to all other nodes, later: it does not wait. From any thread.
    virtual void send(std::vector<BuyerSignal> signals) = 0;

    using Listener = std::function<void(std::vector<BuyerSignal>)>;
    /// Signals that other nodes send from now on. The listener is called on one of this object's
    /// threads, and must not block or throw. There is one listener at a time.
    virtual Subscription listen(Listener listener) = 0;
};

}  // namespace sluice
