#include "assembly/webhook_office.hpp"

#include "api/office/webhook_body.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

web::WebPoster::Options poster_options(const Config::Webhooks& config) {
    web::WebPoster::Options options;
    options.allowed = config.allow_private;
    options.authorities = config.ca_file;
    options.patience = std::chrono::seconds{config.timeout_seconds};
    return options;
}

WebhookCourier::Pace pace_of(const Config::Webhooks& config) {
    WebhookCourier::Pace pace;
    pace.first_pause = std::chrono::milliseconds{config.first_pause_ms};
    pace.patience = std::chrono::seconds{config.give_up_seconds};
    pace.at_once = config.at_once;
    return pace;
}

}  // namespace

WebhookOffice::WebhookOffice(const Parts& parts)
    : is_on_duty_(parts.is_on_duty),
      poster_(poster_options(parts.config), parts.loop),
      rounds_(
          "webhook_courier", 1s, [this] { return deliver_due(); }, parts.log),
      courier_(
          parts.webhooks, poster_, WebhookSecrets(parts.key),
          [&catalog = parts.catalog](const WebhookEvent& event) {
              return api::webhook_body(event, catalog);
          },
          parts.clock, parts.clock.outside(), parts.random, parts.log, pace_of(parts.config),
          [this] { rounds_.wake(); }),
      book_(parts.webhooks, WebhookSecrets(parts.key), parts.config.allow_private, parts.clock,
            parts.ids, [this] { rounds_.wake(); }),
      api_(book_, parts.webhooks, parts.receipts) {
    rounds_.finish_with([this] { return courier_.finish(); });
}

Task<std::chrono::milliseconds> WebhookOffice::deliver_due() {
    // If two nodes delivered at once, every receiver would be told twice.
    if (!is_on_duty_()) co_return 1s;
    const auto pause = co_await courier_.deliver_due();
    co_return pause;
}

void WebhookOffice::bind(const Bind& bind) {
    bind("list_webhooks", to(api_, &api::AdminWebhooks::list));
    bind("create_webhook", to(api_, &api::AdminWebhooks::create));
    bind("delete_webhook", to(api_, &api::AdminWebhooks::remove));
    bind("list_deliveries", to(api_, &api::AdminWebhooks::list_deliveries));
    bind("resend_delivery", to(api_, &api::AdminWebhooks::resend));
}

void WebhookOffice::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_webhook_backlog", "Deliveries to webhooks that are pending.",
                      [this] { return static_cast<double>(courier_.backlog()); });
    metrics.add_gauge("sluice_webhook_oldest_seconds",
                      "Age of the oldest event that some webhook has not been told of.",
                      [this] { return courier_.oldest_seconds(); });
    for (const auto& [state, outcome] :
         {std::pair(DeliveryState::delivered, "delivered"),
          std::pair(DeliveryState::pending, "put_off"), std::pair(DeliveryState::dead, "dead")})
        metrics.add_counter("sluice_webhook_attempts_total",
                            "Attempts to deliver an event to a webhook, by what came of them.",
                            [this, state] { return static_cast<double>(courier_.count(state)); },
                            {{"outcome", outcome}});
}

void WebhookOffice::employ(Keeper& keeper) {
    keeper.employ(rounds_);
}

}  // namespace sluice
