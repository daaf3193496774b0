#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/holds.hpp"
#include "domain/order.hpp"
#include "domain/order_delivery.hpp"
#include "domain/payment.hpp"

namespace sluice {

/// Anybody's orders, for operators. May throw Outage, as UserLedger.
class OrderList {
  public:
    virtual ~OrderList() = default;

    /// One list can be about so many buyers.
    static constexpr std::size_t kMostBuyers = 50;

    /// A filter that is left out does not filter.
    struct Wanted {
        std::optional<SaleId> sale{};
        std::optional<OrderState> state{};
        std::optional<UserId> buyer{};
        std::optional<std::vector<UserId>> buyers{};  // any of these, at most kMostBuyers
        std::optional<OrderMoney> money{};
        std::optional<OrderDeliveryState> delivery{};  // none: paid, and nothing done yet
        std::optional<Timestamp> from{};               // made then or later
        std::optional<Timestamp> until{};              // made before
        std::optional<OrderId> before{};
        std::size_t limit = 20;
    };
    struct Row {
        Order order;
        std::string buyer_phone;
        std::string buyer_name;
        OrderDelivery delivery;
    };
    /// The newest first, all from one instant. The cost follows the limit, not the number of stored
    /// orders; with `money`, at worst the number of orders with such money; with `buyers`, that of
    /// each of them; with `delivery`, the number of orders that fit all but it or, where no buyer
    /// and no money is wanted, those in that delivery; without one, those that are paid.
    virtual Task<std::vector<Row>> list(Wanted wanted) = 0;

    /// What is held of the sale at `now` and who has let holds lapse, all from one instant. An
    /// order counts for the network that HoldNetworkLedger has of it; if it has none, for that of
    /// the buyer's latest log-in that still has its session. Its cost follows the pending orders of
    /// the sale, and no more than kMostLapsesCounted expired and as many cancelled ones: each is
    /// read, and where it has no network, the sessions of its buyer. It keeps nobody from writing.
    virtual Task<HoldsOfSale> holds(SaleId sale, Timestamp now) = 0;
};

}  // namespace sluice
