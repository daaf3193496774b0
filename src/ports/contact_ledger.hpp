#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/task.hpp"
#include "domain/contact.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// Where buyers want their orders to go: what they have stored, and a copy at each order. May throw
/// Outage, as UserLedger.
class ContactLedger {
  public:
    virtual ~ContactLedger() = default;

    virtual Task<std::optional<Contact>> find(UserId buyer) = 0;
    virtual Task<Done> put(UserId buyer, Contact contact, Timestamp now) = 0;

    /// The contact of an order and whether it may change.
    struct OfOrder {
        std::optional<Contact> contact;
        std::optional<Refusal> fixed;  // why it may not
    };
    /// Only of the buyer's own orders; nullopt when there is no such order.
    virtual Task<std::optional<OfOrder>> of_order(OrderId order, UserId buyer) = 0;
    /// Refuses with not_found when it is not the buyer's order, and as why_contact_fixed() says.
    virtual Task<Outcome<Done>> attach(OrderId order, UserId buyer, Contact contact,
                                       Timestamp now) = 0;
    /// Orders without one are left out. Its cost follows the number of orders.
    virtual Task<std::map<OrderId, Contact>> of_orders(std::vector<OrderId> orders) = 0;

    struct Erased {
        bool stored = false;     // what the buyer had stored
        std::size_t copies = 0;  // of orders
        std::size_t kept = 0;    // copies that are still needed
        OrderId last{};          // the last order that was looked at
        bool more = false;       // there are orders after it
    };
    struct EraseWish {
        UserId buyer;
        bool copies = true;  // also those of orders
        bool all = false;    // of all orders, not only of those that are done with it
        OrderId after{};
        std::size_t limit = 0;
    };
    /// Removes what the buyer has stored, and copies of at most `limit` orders after that one. To
    /// be repeated with `last` while there is more. The deed is written if anything was removed,
    /// with the numbers as its `after`.
    virtual Task<Erased> erase(EraseWish wish, std::optional<Deed> deed) = 0;
};

}  // namespace sluice
