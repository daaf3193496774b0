#include "config/relations.hpp"

namespace sluice {
namespace {

Conflict too_large(std::string_view first, unsigned is, std::string_view second, unsigned most) {
    return {first, second,
            std::string(first) + " is " + std::to_string(is) + ", but can be at most " +
                std::string(second) + ", which is " + std::to_string(most)};
}

}  // namespace

std::optional<Conflict> find_conflict(const Config& c) {
    if (c.admin_listen && *c.admin_listen == c.listen && c.listen.port != 0)
        return Conflict{"admin_listen", "listen",
                        "admin_listen and listen are both " + c.listen.text()};
    // A batch is made of what waits.
    if (c.ledger.batch > c.ledger.backlog)
        return too_large("ledger.batch", c.ledger.batch, "ledger.backlog", c.ledger.backlog);
    if (c.accounts.hash_threads > c.accounts.hash_backlog)
        return too_large("accounts.hash_threads", c.accounts.hash_threads, "accounts.hash_backlog",
                         c.accounts.hash_backlog);
    if (c.accounts.verify_phone && c.sms.provider == MessageSenderName::none)
        return Conflict{"accounts.verify_phone", "sms.provider",
                        "accounts.verify_phone needs somebody who sends messages, but sms.provider "
                        "is none"};
    if (c.sms.provider == MessageSenderName::http && (c.sms.url.empty() || c.sms.secret.empty()))
        return Conflict{"sms.provider", c.sms.url.empty() ? "sms.url" : "sms.secret",
                        "sms.provider is http, which needs sms.url and sms.secret"};
    if (c.challenge.draw_threads > c.challenge.draw_backlog)
        return too_large("challenge.draw_threads", c.challenge.draw_threads,
                         "challenge.draw_backlog", c.challenge.draw_backlog);
    // Whoever watches a sale hears of it at once, and one answer waits for each.
    if (c.streams.watched > c.streams.queue)
        return too_large("streams.watched", c.streams.watched, "streams.queue", c.streams.queue);
    for (const auto& rate : find_rate_conflicts(c.limits.rates))
        return Conflict{rate.burst, rate.rate,
                        std::string(rate.burst) + " is " + std::to_string(rate.burst_is) +
                            ", but can be at most an hour of " + std::string(rate.rate) +
                            ", which is " + std::to_string(rate.burst_at_most)};
    return std::nullopt;
}

}  // namespace sluice
