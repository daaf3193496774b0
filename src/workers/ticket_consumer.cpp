#include "workers/ticket_consumer.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr int kAttempts = 3;

bool holds(const TicketSource::Delivery& delivery, const TicketId& id) {
    return std::ranges::find(delivery.tickets, id, &Ticket::id) != delivery.tickets.end();
}

}  // namespace

Task<> TicketConsumer::consume() {
    for (;;) {
        // Throws when it still is. One that can only be read is away too: whatever it took would
        // be given back, again and again.
        if (is_ledger_away_) co_await ledger_.prepare({});
        is_ledger_away_ = false;
        if (taken_.empty()) taken_ = co_await source_.take(kBatch);
        if (taken_.empty()) co_return;
        std::vector<Ticket> tickets;
        for (const auto& delivery : taken_)
            tickets.insert(tickets.end(), delivery.tickets.begin(), delivery.tickets.end());
        std::vector<ClaimSettler::Decided> decided;
        auto failed = co_await write_or_give_back(std::move(tickets), decided);
        auto written = std::exchange(taken_, {});
        const auto taken = written.size();
        for (auto& each : failed) {
            const auto id = each.ticket.id;
            if (co_await lay_aside(std::move(each))) continue;
            std::erase_if(written, [&](const auto& delivery) { return holds(delivery, id); });
        }
        const bool is_something_left = written.size() < taken;
        std::vector<std::uint64_t> tags;
        for (const auto& delivery : written) tags.push_back(delivery.tag);
        co_await source_.acknowledge(std::move(tags));
        // Without this it would stay unacknowledged, and undelivered, as long as the connection.
        if (is_something_left) co_await source_.give_back();
        co_await settler_.conclude(std::move(decided));
        if (is_something_left) throw Outage("a ticket can be neither written nor parked");
    }
}

/// Parks the tickets that cannot be written.
Task<std::vector<TicketConsumer::Failed>> TicketConsumer::write_or_give_back(
    std::vector<Ticket> tickets, std::vector<ClaimSettler::Decided>& decided) {
    std::exception_ptr outage;
    try {
        auto failed = co_await write(std::move(tickets), decided);
        co_return failed;
    } catch (const Outage&) {
        outage = std::current_exception();
    }
    is_ledger_away_ = true;
    taken_.clear();
    co_await source_.give_back();
    std::rethrow_exception(outage);
}

Task<std::vector<TicketConsumer::Failed>> TicketConsumer::write(
    std::vector<Ticket> tickets, std::vector<ClaimSettler::Decided>& decided) {
    const auto outcomes = co_await write_until_known(tickets);
    CHECK(outcomes.size() == tickets.size(), "every ticket has its outcome");
    std::vector<Failed> failed;
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        if (!outcomes[i]) {
            on_failure_(tickets[i], outcomes[i].error());
            failed.push_back({std::move(tickets[i]), outcomes[i].error()});
        } else if (const auto claim = ClaimSettler::decided(tickets[i], *outcomes[i])) {
            decided.push_back(*claim);
        }
    }
    co_return failed;
}

/// False when neither the table nor the source keeps it.
Task<bool> TicketConsumer::lay_aside(Failed failed) {
    if (parking_) {
        std::vector<ParkedTicket> parked{
            {.ticket = failed.ticket, .reason = failed.reason, .parked_at = parking_->clock.now()}};
        try {
            co_await parking_->table.park(std::move(parked));
            co_return true;
        } catch (const Outage&) {  // the source is the second place
        } catch (const Overload&) {
        }
    }
    co_return co_await source_.park(std::move(failed.ticket), std::move(failed.reason));
}

/// If the outcome of a commit is unknown, the same tickets are written again: what was committed
/// stands.
Task<std::vector<TicketLedger::Written>> TicketConsumer::write_until_known(
    std::vector<Ticket> tickets) {
    for (int attempt = 1;; ++attempt) {
        try {
            auto outcomes = co_await ledger_.write(tickets);
            co_return outcomes;
        } catch (const UnknownOutcome&) {
            if (attempt == kAttempts) throw;
        }
    }
}

}  // namespace sluice
