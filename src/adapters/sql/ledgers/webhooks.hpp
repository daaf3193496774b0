#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice::ledgers {

class Webhooks final : public WebhookLedger {
  public:
    Webhooks(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Outcome<Created>> add(Webhook webhook, Deed deed, std::optional<Receipt> receipt) override;
    Task<std::vector<Webhook>> list() override;
    Task<Outcome<Done>> remove(WebhookId id, Deed deed) override;
    Task<Outcome<std::vector<Delivery>>> deliveries(WebhookId webhook,
                                                    std::optional<DeliveryState> state,
                                                    std::optional<EventId> before,
                                                    std::size_t limit) override;
    Task<Outcome<Delivery>> resend(DeliveryId id, Deed deed) override;
    Task<std::vector<Receiver>> due(Timestamp now, std::size_t limit) override;
    Task<Done> note(DeliveryId id, Attempt attempt) override;
    Task<Backlog> backlog() override;
    Task<std::size_t> prune(Timestamp delivered_before, Timestamp dead_before,
                            std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
