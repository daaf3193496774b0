#pragma once

#include <optional>
#include <string>

#include "app/catalog.hpp"
#include "domain/webhook.hpp"

namespace sluice::api {

/// What a receiver of the event is sent: {"id","type","created_at","data"}, where data is the order
/// as operators see it, or the sale as everybody does, as it was then. None when the catalog has
/// not heard of the sale yet, or nobody knows the order.
std::optional<std::string> webhook_body(const WebhookEvent& event, const Catalog& catalog);

}  // namespace sluice::api
