#pragma once

#include "adapters/system/shop_clock.hpp"
#include "adapters/web/web_poster.hpp"
#include "api/office/admin_webhooks.hpp"
#include "app/catalog/catalog.hpp"
#include "app/office/webhook_book.hpp"
#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "domain/webhook.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/random.hpp"
#include "ports/webhook_ledger.hpp"
#include "workers/webhook_courier.hpp"

namespace sluice {

/// Webhooks out: what operators register, and the courier that tells them.
class WebhookOffice {
  public:
    struct Parts {
        const Config::Webhooks& config;
        WebhookLedger& webhooks;
        const Catalog& catalog;
        const api::Receipts& receipts;
        const WebhookSecrets::Key& key;
        std::function<bool()> is_on_duty;  // whether this node tells them at present
        AsioLoop& loop;                    // of the keeper
        const ShopClock& clock;
        Random& random;
        IdSource& ids;
        Log& log;
    };
    /// Throws std::runtime_error when the configured authorities cannot be read.
    explicit WebhookOffice(const Parts& parts);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;

    /// Something was committed. From any thread.
    void on_commit() {
        if (courier_.has_receivers()) rounds_.wake();
    }

    /// Deliveries that are dead, since the start. From any thread.
    std::uint64_t given_up() const { return courier_.count(DeliveryState::dead); }

  private:
    Task<std::chrono::milliseconds> deliver_due();

    const std::function<bool()> is_on_duty_;
    web::WebPoster poster_;
    Periodic rounds_;
    WebhookCourier courier_;
    WebhookBook book_;
    api::AdminWebhooks api_;
};

}  // namespace sluice
