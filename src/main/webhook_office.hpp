#pragma once

#include "adapters/web/web_poster.hpp"
#include "app/catalog.hpp"
#include "app/webhook_book.hpp"
#include "main/keeper.hpp"
#include "main/store.hpp"
#include "observe/metrics.hpp"
#include "workers/webhook_courier.hpp"

namespace sluice {

/// Webhooks out, put together: what operators register, and the courier that tells them.
class WebhookOffice {
  public:
    /// Throws std::runtime_error when the configured authorities cannot be read.
    WebhookOffice(const Config::Webhooks& config, Store& store, const Catalog& catalog,
                  AsioLoop& loop, Log& log);

    WebhookBook& book() { return book_; }
    void add_metrics(MetricsPage& metrics) const;

    /// Before anybody can register a webhook.
    void employ(Keeper& keeper);

    /// Something was committed. From any thread.
    void hear_commit() {
        if (courier_.has_receivers()) rounds_->wake();
    }

  private:
    web::WebPoster poster_;
    Periodic* rounds_ = nullptr;
    WebhookCourier courier_;
    WebhookBook book_;
};

}  // namespace sluice
