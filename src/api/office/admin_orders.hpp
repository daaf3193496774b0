#pragma once

#include "api/office/order_filter.hpp"
#include "app/catalog/catalog.hpp"
#include "app/orders/buyer_search.hpp"
#include "app/orders/delivery_desk.hpp"
#include "app/orders/give_back.hpp"
#include "http/exchange.hpp"
#include "ports/contact_ledger.hpp"
#include "ports/order_list.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::api {

/// Anybody's orders, with everything that is known of their money and their delivery.
class AdminOrders {
  public:
    /// `provider`: the active one; empty if there is none.
    AdminOrders(OrderList& list, BuyerSearch& buyers, UserLedger& users, PaymentLedger& ledger,
                DeliveryLedger& deliveries, DeliveryDesk& delivery_desk, ContactLedger& contacts,
                GiveBack& give_back, std::string provider, const Catalog& catalog)
        : list_(list),
          buyers_(buyers),
          users_(users),
          ledger_(ledger),
          deliveries_(deliveries),
          delivery_desk_(delivery_desk),
          contacts_(contacts),
          give_back_(give_back),
          provider_(std::move(provider)),
          catalog_(catalog) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending refund(http::Exchange& exchange);
    http::Pending note_sent_back(http::Exchange& exchange);
    http::Pending deliver(http::Exchange& exchange);

  private:
    Task<> show_page(http::Exchange& exchange, OrderWish wish);
    Task<> look_up(http::Exchange& exchange, OrderId id);
    Task<> carry_out_refund(http::Exchange& exchange, OrderId id);
    Task<> carry_out_note(http::Exchange& exchange, ChargeId refund);
    Task<> carry_out_delivery(http::Exchange& exchange, OrderId id, OrderDeliveryWish wish);

    OrderList& list_;
    BuyerSearch& buyers_;
    UserLedger& users_;
    PaymentLedger& ledger_;
    DeliveryLedger& deliveries_;
    DeliveryDesk& delivery_desk_;
    ContactLedger& contacts_;
    GiveBack& give_back_;
    const std::string provider_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
