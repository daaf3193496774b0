#pragma once

#include <optional>
#include <string>

#include "app/catalog/catalog.hpp"
#include "domain/webhook.hpp"

namespace sluice::api {

/// The body that a receiver of the event gets: {"id","type","created_at","data"}, where data is the
/// order as operators see it, or the sale as everybody does, as of the event. Nothing when the
/// catalog does not know the sale yet, or the order is unknown.
std::optional<std::string> webhook_body(const WebhookEvent& event, const Catalog& catalog);

}  // namespace sluice::api
