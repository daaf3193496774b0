#include "cluster_simulation/ledger_client.hpp"

#include "cluster_simulation/names.hpp"
#include "ports/taken.hpp"

namespace sluice::cluster_simulation {
namespace {

constexpr std::int64_t kDeadlock = 25;  // one transaction in so many

}  // namespace

template <class T, class Work>
Task<T> LedgerClient::call(std::string what, Network::Faults faults, Work work) {
    const bool is_deadlock = network_.strikes(kDeadlock);
    return network_.call<T>(
        life_, std::move(what), faults,
        [&server = server_, is_deadlock, work = std::move(work)]() mutable -> T {
            if (server.is_away) throw Outage("the simulated ledger is away");
            if (is_deadlock) throw Outage("the simulated ledger met a deadlock");
            return work(server.ledger);
        });
}

template <class T, class Work>
Task<T> LedgerClient::read(std::string what, Work work) {
    return call<T>(std::move(what), {.lost = 40, .late = 0, .doubled = 0}, std::move(work));
}

/// No answer: it is committed, or not, or will be committed later.
template <class T, class Work>
Task<T> LedgerClient::write(std::string what, Work work) {
    return call<T>(std::move(what), {.lost = 20, .late = 40, .doubled = 0}, std::move(work));
}

Task<OrderLedger::Past> LedgerClient::past(Ticket wish) {
    auto what = "past " + short_name(wish.id);
    auto work = [wish = std::move(wish)](Ledger& ledger) { return ledger.past(wish); };
    auto past = co_await read<Past>(std::move(what), std::move(work));
    if (left_out_ == Switch::given_up_is_the_end) std::erase_if(past.same_wish, was_given_up);
    co_return past;
}

Task<std::optional<TicketRecord>> LedgerClient::latest_ticket(SaleId, UserId) {
    co_return std::nullopt;
}

Task<std::optional<TicketRecord>> LedgerClient::ticket(TicketId, UserId) {
    co_return std::nullopt;
}

Task<UnpaidHolds> LedgerClient::unpaid_holds(SaleId, UserId) {
    co_return UnpaidHolds{};
}

Task<std::optional<Order>> LedgerClient::order(OrderId, UserId) {
    co_return std::nullopt;
}

Task<std::vector<Order>> LedgerClient::orders(UserId, std::optional<OrderId>, std::size_t) {
    co_return std::vector<Order>{};
}

Task<Outcome<OrderLedger::GivenBack>> LedgerClient::cancel(OrderId id, UserId buyer,
                                                           Timestamp now) {
    return write<Outcome<GivenBack>>("cancel order " + id.text(),
                                     [=](Ledger& ledger) { return ledger.cancel(id, buyer, now); });
}

/// This simulation has no holds desk. For a hot copy it would be the same as a cancel.
Task<OrderLedger::HoldsGivenBack> LedgerClient::give_back_holds(HoldsWanted, Deed) {
    co_return HoldsGivenBack{};
}

Task<std::optional<Timestamp>> LedgerClient::next_due(DuePlace after) {
    return read<std::optional<Timestamp>>("next_due",
                                          [=](Ledger& ledger) { return ledger.next_due(after); });
}

Task<OrderLedger::Expired> LedgerClient::expire(Timestamp now, std::size_t limit, DuePlace after) {
    return write<Expired>("expire",
                          [=](Ledger& ledger) { return ledger.expire(now, limit, after); });
}

Task<std::vector<TicketRecord>> LedgerClient::tickets(std::vector<Ticket> tickets) {
    return read<std::vector<TicketRecord>>(
        "tickets", [tickets = std::move(tickets)](Ledger& ledger) { return ledger.find(tickets); });
}

Task<OrderLedger::Fenced> LedgerClient::fence(std::vector<Ticket> tickets) {
    const auto what = "fence" + short_names(tickets);
    return write<Fenced>(what, [tickets = std::move(tickets)](Ledger& ledger) {
        return Fenced{.records = ledger.fence(tickets), .stuck = {}};
    });
}

Task<std::vector<HotChange>> LedgerClient::hot_changes(SaleId, std::int64_t after,
                                                       std::size_t limit) {
    return read<std::vector<HotChange>>(
        "hot_changes", [=](Ledger& ledger) { return ledger.hot_changes(after, limit); });
}

Task<std::size_t> LedgerClient::prune_hot_changes(Timestamp, std::size_t) {
    co_return 0;  // a run is shorter than a day
}

Task<std::string> LedgerClient::name() {
    if (left_out_ == Switch::any_ledger) {
        const auto* const copy = server_.hot.masters().front().keys.look();
        if (copy && copy->ledger) co_return *copy->ledger;
    }
    auto work = [](Ledger& ledger) { return ledger.state().name; };
    auto name = co_await read<std::string>("name", work);
    co_return name;
}

Task<std::vector<OrderLedger::HotCopy>> LedgerClient::hot_copies(Timestamp) {
    return read<std::vector<HotCopy>>(
        "hot_copies", [](Ledger& ledger) { return std::vector{ledger.hot_copy()}; });
}

Task<std::optional<OrderLedger::HotCopy>> LedgerClient::hot_copy(SaleId) {
    return read<std::optional<HotCopy>>(
        "hot_copy", [&hot = server_.hot, left_out = left_out_](Ledger& ledger) {
            auto copy = std::optional(ledger.hot_copy());
            if (left_out == Switch::other_epoch_is_left)
                copy->filling.epoch = hot.masters().front().keys.epoch();
            return copy;
        });
}

Task<std::optional<OrderLedger::HotCopy>> LedgerClient::begin_epoch(SaleId, std::int64_t above,
                                                                    Timestamp now) {
    return write<std::optional<HotCopy>>("begin_epoch", [=](Ledger& ledger) {
        return std::optional(ledger.begin_epoch(above, now));
    });
}

Task<std::vector<TicketLedger::Written>> LedgerClient::write(std::vector<Ticket> tickets) {
    const auto what = "write" + short_names(tickets);
    return write<std::vector<Written>>(
        what, [tickets = std::move(tickets), now = clock_.now()](Ledger& ledger) {
            return ledger.write(tickets, now);
        });
}

Task<std::vector<TicketLedger::Written>> LedgerClient::prepare(std::vector<Ticket> tickets) {
    const auto what = "prepare" + short_names(tickets);
    std::vector<Written> yes;
    for (const auto& ticket : tickets) yes.push_back(as_queued(ticket));
    auto work = [tickets = std::move(tickets)](Ledger& ledger) { return ledger.prepare(tickets); };
    try {
        auto written = co_await write<std::vector<Written>>(what, std::move(work));
        if (left_out_ == Switch::yes_to_a_fence) co_return yes;
        co_return written;
    } catch (const Outage&) {
        if (left_out_ != Switch::yes_without_journal) throw;
    }
    co_return yes;
}

Task<std::vector<Ticket>> LedgerClient::prepared(std::size_t most) {
    return read<std::vector<Ticket>>("prepared",
                                     [=](Ledger& ledger) { return ledger.prepared(most); });
}

/// This simulation does not show the queue.
Task<std::int64_t> LedgerClient::count_prepared() {
    co_return 0;
}

/// No ticket is parked here, so no operator refuses one.
Task<TicketLedger::Written> LedgerClient::refuse(Ticket, Deed) {
    co_return std::unexpected("no ticket is parked");
}

Task<Done> LedgerClient::restock(std::int64_t delta) {
    return write<Done>("restock by " + std::to_string(delta),
                       [delta, now = clock_.now()](Ledger& ledger) {
                           ledger.restock(delta, now);
                           return Done{};
                       });
}

}  // namespace sluice::cluster_simulation
