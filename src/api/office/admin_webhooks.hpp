#pragma once

#include "api/idempotency.hpp"
#include "app/office/webhook_book.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class AdminWebhooks {
  public:
    AdminWebhooks(WebhookBook& book, WebhookLedger& ledger, const Receipts& receipts)
        : book_(book), ledger_(ledger), receipts_(receipts) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending create(http::Exchange& exchange);
    http::Pending remove(http::Exchange& exchange);
    http::Pending list_deliveries(http::Exchange& exchange);
    http::Pending resend(http::Exchange& exchange);

  private:
    Task<> show_page(http::Exchange& exchange, std::optional<WebhookId> before, std::size_t limit);
    Task<> add(http::Exchange& exchange, WebhookBook::Wish wish, std::optional<Receipt> receipt);
    void add_secret(http::Exchange& exchange) const;
    Task<> carry_out_removal(http::Exchange& exchange, WebhookId id);
    Task<> show_deliveries(http::Exchange& exchange, WebhookId id,
                           std::optional<DeliveryState> state, std::optional<EventId> before,
                           std::size_t limit);
    Task<> carry_out_resend(http::Exchange& exchange, DeliveryId id);

    WebhookBook& book_;
    WebhookLedger& ledger_;
    const Receipts& receipts_;
};

}  // namespace sluice::api
