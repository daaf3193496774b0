#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/office/actor.hpp"
#include "base/address.hpp"
#include "ports/clock.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// What operators do with webhooks. Safe from any thread.
class WebhookBook {
  public:
    /// `allowed`: private networks that may be called. `on_news`: called when there may be
    /// something to deliver although no commit of an event has reported it.
    WebhookBook(WebhookLedger& ledger, WebhookSecrets secrets, std::vector<Network> allowed,
                const Clock& clock, IdSource& ids, std::function<void()> on_news)
        : ledger_(ledger),
          secrets_(secrets),
          allowed_(std::move(allowed)),
          clock_(clock),
          ids_(ids),
          on_news_(std::move(on_news)) {}

    struct Wish {
        std::string url;
        std::optional<std::vector<std::string>> events;  // none: all
    };
    /// Refuses an address that we would not call, as far as its text shows that. A host name may
    /// still turn out to lead to such an address when it is looked up.
    Outcome<Webhook> draft(const Wish& wish) const;
    Task<Outcome<Created>> create(Webhook webhook, Actor actor, std::optional<Receipt> receipt);
    Task<Outcome<Done>> remove(WebhookId id, Actor actor);
    Task<Outcome<Delivery>> resend(DeliveryId id, Actor actor);

    std::string secret_of(WebhookId id) const { return secrets_.of(id); }

  private:
    std::vector<FieldError> check_url(const std::string& text) const;

    WebhookLedger& ledger_;
    const WebhookSecrets secrets_;
    const std::vector<Network> allowed_;
    const Clock& clock_;
    IdSource& ids_;
    const std::function<void()> on_news_;
};

}  // namespace sluice
