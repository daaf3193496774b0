#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/outage.hpp"
#include "ports/catalog_ledger.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::testing_support {

/// Answers as it was told to, and remembers what was done to it: for tests of what a caller makes
/// of each answer. Whether the gate keeps its own promises is for the contract suite.
class ScriptedGate final : public StockGate {
  public:
    Glance seen{.warm = true, .left = 5, .units = 0, .history = false};
    std::deque<Claimed> claims;  // the last one stays
    std::vector<Ticket> condemned;
    bool misses = false;
    std::vector<std::string> calls;
    std::vector<TicketId> settled, released;
    std::vector<std::int64_t> epochs;  // that settle and release were named
    std::vector<Move> moves;
    Timestamp condemned_before;
    std::map<SaleId, Snapshot> held;  // the copies
    bool refuses_copies = false;

    Glance glance(SaleId, UserId) const override { return seen; }
    Task<Claimed> claim(Ticket, std::int64_t) override {
        calls.push_back("claim");
        const auto answer = claims.front();
        if (claims.size() > 1) claims.pop_front();
        co_return answer;
    }
    Task<bool> is_open(TicketId, UserId) override { co_return false; }
    Task<std::optional<TicketId>> latest_open(SaleId, UserId) override { co_return std::nullopt; }
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> given) override {
        calls.push_back("hand_off");
        co_return note(given);
    }
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override {
        calls.push_back("condemn");
        condemned_before = claimed_before;
        co_return condemned;
    }
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> given) override {
        calls.push_back("settle");
        auto tickets = note(given);
        settled.insert(settled.end(), tickets.begin(), tickets.end());
        if (!misses) tickets.clear();
        co_return tickets;
    }
    Task<Done> release(std::vector<ClaimName> given, Ground ground) override {
        calls.push_back(ground == Ground::rolled_back ? "release rolled back" : "release");
        const auto tickets = note(given);
        released.insert(released.end(), tickets.begin(), tickets.end());
        co_return Done{};
    }
    Task<Done> apply(std::vector<Move> made) override {
        calls.push_back("apply");
        moves.insert(moves.end(), made.begin(), made.end());
        co_return Done{};
    }
    Task<std::int64_t> expect(SaleId sale) override {
        co_return held.contains(sale) ? held[sale].epoch : 0;
    }
    Task<bool> warm(Copy copy) override {
        calls.push_back("warm");
        if (refuses_copies) co_return false;
        auto& snapshot = held[copy.sale];
        snapshot.epoch = copy.epoch;
        snapshot.left = copy.left;
        snapshot.open = 0;
        ++snapshot.changes;
        snapshot.holdings = std::move(copy.holdings);
        co_return true;
    }
    Task<bool> forget(SaleId sale, std::int64_t) override {
        calls.push_back("forget");
        if (held.contains(sale) && held[sale].open > 0) co_return false;
        co_return held.erase(sale) == 1;
    }
    Task<std::vector<Filled>> copies() override {
        std::vector<Filled> filled;
        for (const auto& [sale, snapshot] : held) filled.push_back({sale, snapshot.epoch});
        co_return filled;
    }
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override {
        if (!held.contains(sale)) co_return std::nullopt;
        co_return held[sale];
    }

  private:
    std::vector<TicketId> note(const std::vector<ClaimName>& given) {
        std::vector<TicketId> tickets;
        for (const auto& claim : given) {
            tickets.push_back(claim.ticket);
            epochs.push_back(claim.epoch);
        }
        return tickets;
    }
};

class ScriptedIntake final : public OrderIntake {
  public:
    Taken answer;
    std::vector<Ticket> submitted;
    std::size_t waiting = 0;

    Task<Taken> submit(Ticket ticket) override {
        submitted.push_back(std::move(ticket));
        co_return answer;
    }
    std::size_t backlog() const override { return waiting; }
};

/// Knows tickets; away when told so.
class ScriptedOrders final : public OrderLedger {
  public:
    std::vector<TicketRecord> tickets;  // of any buyer, the latest first
    std::vector<TicketRecord> journal;
    std::vector<Ticket> fenced;
    std::vector<TicketId> stuck_tickets;
    std::map<SaleId, StockGate::Copy> copies;  // as the ledger has them
    std::deque<Timestamp> due;                 // of pending orders, in order
    std::vector<std::size_t> bites;            // what each expiry took
    std::vector<DuePlace> stuck;               // before them, in order: due, but stuck
    std::size_t stuck_seen = 0;
    int lookups = 0;
    std::vector<SaleId> compared;  // whose hot copy was read
    bool away = false;

    Task<Past> past(Ticket) override {
        ++lookups;
        if (away) throw Outage("away");
        Past found{.same_wish = tickets, .latest = {}};
        if (!tickets.empty()) found.latest = tickets.front();
        co_return found;
    }
    Task<std::optional<TicketRecord>> latest_ticket(SaleId, UserId) override {
        if (tickets.empty()) co_return std::nullopt;
        co_return tickets.front();
    }
    Task<std::optional<TicketRecord>> ticket(TicketId, UserId) override { co_return std::nullopt; }
    Task<std::optional<Order>> order(OrderId, UserId) override { co_return std::nullopt; }
    Task<std::vector<Order>> orders(UserId, std::optional<OrderId>, std::size_t) override {
        co_return std::vector<Order>{};
    }
    Task<Outcome<GivenBack>> cancel(OrderId, UserId, Timestamp) override {
        co_return refuse(Reason::not_found);
    }
    Task<std::optional<Timestamp>> next_due(DuePlace after) override {
        if (away) throw Outage("away");
        for (const auto& place : stuck)
            if (place > after) co_return place.at;
        if (due.empty()) co_return std::nullopt;
        co_return due.front();
    }
    Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) override {
        if (away) throw Outage("away");
        Expired expired;
        expired.last = after;
        for (const auto& place : stuck) {
            if (place <= after || place.at > now || expired.stuck.size() == limit) continue;
            expired.stuck.push_back(place.order);
            expired.last = place;
            ++stuck_seen;
        }
        while (!due.empty() && due.front() <= now &&
               expired.stuck.size() + expired.moves.size() < limit) {
            expired.moves.push_back(
                {.sale = SaleId{1}, .delta_left = 1, .buyer = {}, .delta_units = 0});
            expired.last = std::max(expired.last, DuePlace{due.front(), OrderId{1}});
            due.pop_front();
        }
        bites.push_back(expired.moves.size());
        co_return expired;
    }
    Task<Fenced> fence(std::vector<Ticket> given) override {
        if (away) throw Outage("away");
        fenced = std::move(given);
        co_return Fenced{journal, stuck_tickets};
    }
    Task<std::vector<StockGate::Copy>> hot_copies(Timestamp) override {
        co_return std::vector<StockGate::Copy>{};
    }
    Task<std::optional<StockGate::Copy>> hot_copy(SaleId sale) override {
        if (away) throw Outage("away");
        compared.push_back(sale);
        if (!copies.contains(sale)) co_return std::nullopt;
        co_return copies[sale];
    }
    Task<std::optional<StockGate::Copy>> begin_epoch(SaleId sale, std::int64_t above,
                                                     Timestamp now) override {
        if (away) throw Outage("away");
        if (!copies.contains(sale)) co_return std::nullopt;
        auto& copy = copies[sale];
        copy.epoch = std::max({copy.epoch, above, to_millis(now)}) + 1;
        co_return copy;
    }
};

/// Nothing is on record: the catalog has what the test puts there.
class EmptyCatalogLedger final : public CatalogLedger {
  public:
    Task<Contents> load() override { co_return Contents{}; }
    Task<Outcome<Created>> add_item(Item, Deed, std::optional<Receipt>) override {
        co_return refuse(Reason::conflict);
    }
    Task<Outcome<Done>> update_item(Item, Deed) override { co_return refuse(Reason::conflict); }
    Task<Outcome<Created>> add_sale(Sale, Deed, std::optional<Receipt>) override {
        co_return refuse(Reason::conflict);
    }
    Task<Outcome<SaleChanged>> change_sale(SaleId, DecideSale, std::optional<Receipt>) override {
        co_return refuse(Reason::conflict);
    }
};

}  // namespace sluice::testing_support
