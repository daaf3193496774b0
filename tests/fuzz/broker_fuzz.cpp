#include "adapters/rabbitmq/codec.hpp"
#include "base/check.hpp"
#include "fuzz/targets.hpp"

namespace sluice::fuzz {

/// Anybody with a password of the broker can put anything into the queue.
void broker(std::string_view bytes) {
    const auto tickets = rabbitmq::decode(bytes);
    if (!tickets) {
        CHECK(!tickets.error().empty(), "what cannot be read has a reason");
        return;
    }
    CHECK(!tickets->empty() && tickets->size() <= rabbitmq::kMostTickets, "a message is bounded");
    for (const auto& ticket : *tickets) {
        CHECK(ticket.id.sale.value > 0 && ticket.buyer.value > 0, "an id is positive");
        CHECK(ticket.quantity > 0 && ticket.epoch > 0, "a ticket is for something");
        to_rfc3339(ticket.claimed_at);
    }
    CHECK(rabbitmq::encode(*tickets) == bytes, "a message has one spelling");
}

}  // namespace sluice::fuzz
