#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/outage.hpp"
#include "domain/ticket_rules.hpp"
#include "ports/catalog_ledger.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::testing_support {

/// Gives the answers that a test sets, and remembers the calls: for tests of how a caller handles
/// each answer. Whether the gate keeps its own promises is tested by the contract suite.
class ScriptedGate final : public StockGate {
  public:
    Glance seen{.warm = true, .left = 5, .units = 0, .history = false};
    std::deque<Claimed> claims;  // the last one stays
    std::vector<Ticket> condemned;
    std::vector<Ticket> marked;  // as handed off
    std::vector<TicketId> unmarkable;
    bool misses = false;
    bool is_away = false;     // for what asks or changes one claim, and for set_terms
    bool is_crowded = false;  // for hand_off
    std::vector<std::string> calls;
    std::vector<TicketId> settled, released;
    std::vector<std::int64_t> epochs;  // that settle and release were named
    std::vector<HotChange> applied;
    Timestamp condemned_before;
    std::map<SaleId, Snapshot> held;  // the copies
    Snapshot draft;
    bool refuses_copies = false;
    bool another_fills = false;
    std::optional<std::int64_t> terms_version;  // of all copies; nullopt: it keeps none
    std::vector<std::pair<SaleId, Terms>> told;

    bool is_behind = false;  // what other processes claim
    Glance glance(SaleId, UserId) const override { return seen; }
    bool sees_claims_at_once() const override { return !is_behind; }
    Task<Claimed> claim(Ticket, std::int64_t) override {
        calls.push_back("claim");
        const auto answer = claims.front();
        if (claims.size() > 1) claims.pop_front();
        co_return answer;
    }
    std::optional<TicketId> open;  // the buyer's only open claim
    Task<bool> is_open(TicketId id, UserId) override {
        if (is_away) throw Outage("away");
        co_return open == id;
    }
    Task<std::optional<TicketId>> latest_open(SaleId, UserId) override {
        if (is_away) throw Outage("away");
        co_return open;
    }
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> given) override {
        calls.push_back("hand_off");
        if (is_away) throw UnknownOutcome("no answer");
        if (is_crowded) throw Overload("too many calls wait");
        auto tickets = note(given);
        std::erase_if(tickets, [&](const auto& id) {
            return std::ranges::find(unmarkable, id) != unmarkable.end();
        });
        co_return tickets;
    }
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override {
        calls.push_back("condemn");
        condemned_before = claimed_before;
        co_return condemned;
    }
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> given) override {
        calls.push_back("settle");
        if (is_away) throw UnknownOutcome("no answer");
        auto tickets = note(given);
        settled.insert(settled.end(), tickets.begin(), tickets.end());
        if (!misses) tickets.clear();
        co_return tickets;
    }
    Task<std::vector<Ticket>> handed_off(Timestamp) override {
        calls.push_back("handed_off");
        co_return marked;
    }
    Task<Done> release(std::vector<ClaimName> given) override {
        calls.push_back("release");
        if (is_away) throw Outage("away");
        const auto tickets = note(given);
        released.insert(released.end(), tickets.begin(), tickets.end());
        co_return Done{};
    }
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override {
        calls.push_back("apply");
        if (!held.contains(sale) || held[sale].epoch != epoch) co_return std::nullopt;
        for (const auto& row : rows) {
            applied.push_back(row);
            held[sale].applied = row.seq;
        }
        co_return held[sale].applied;
    }
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t seq) override {
        calls.push_back("begin_fill");
        if (refuses_copies) co_return false;
        draft = Snapshot{};
        draft.epoch = filling.epoch;
        draft.left = left;
        draft.applied = seq;
        co_return true;
    }
    Task<bool> fill(Filling, Holdings chunk) override {
        draft.holdings.insert(draft.holdings.end(), chunk.begin(), chunk.end());
        co_return true;
    }
    Task<bool> open_epoch(Filling filling) override {
        calls.push_back("open_epoch");
        const auto changes = held[filling.sale].changes;
        held[filling.sale] = std::move(draft);
        held[filling.sale].changes = changes + 1;
        co_return true;
    }
    Task<bool> forget(SaleId sale, std::int64_t) override {
        calls.push_back("forget");
        if (held.contains(sale) && held[sale].open > 0) co_return false;
        co_return held.erase(sale) == 1;
    }
    Task<Done> set_terms(SaleId sale, Terms terms) override {
        if (is_away) throw Outage("away");
        told.emplace_back(sale, terms);
        co_return Done{};
    }
    Task<bool> may_fill(SaleId) override { co_return !another_fills; }
    std::int64_t closed_epoch = 0;  // of a copy that is there and cannot be used
    Task<std::int64_t> opened_epoch(SaleId sale) override {
        co_return held.contains(sale) ? held[sale].epoch : closed_epoch;
    }
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override {
        if (!held.contains(sale)) co_return std::nullopt;
        co_return open_copy_of(sale);
    }
    Task<std::vector<OpenCopy>> open_copies() override {
        std::vector<OpenCopy> copies;
        for (const auto& [sale, snapshot] : held) copies.push_back(open_copy_of(sale));
        co_return copies;
    }
    int snapshots = 0;  // that were read
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override {
        ++snapshots;
        if (!held.contains(sale)) co_return std::nullopt;
        co_return held[sale];
    }
    UnderWay all_under_way;
    Task<UnderWay> under_way() override {
        if (is_away) throw Outage("away");
        co_return all_under_way;
    }

  private:
    OpenCopy open_copy_of(SaleId sale) const {
        const auto& snapshot = held.at(sale);
        return {.filling = {sale, snapshot.epoch, "ledger"},
                .applied = snapshot.applied,
                .claims = snapshot.open,  // of one unit each
                .terms_version = terms_version};
    }
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
    std::atomic<std::size_t> waiting = 0;
    bool is_full = false;

    std::optional<Slot> reserve() override {
        if (is_full) return std::nullopt;
        ++waiting;
        return Slot(waiting);
    }
    Task<Taken> submit(Slot, Ticket ticket) override {
        submitted.push_back(std::move(ticket));
        co_return answer;
    }
    std::size_t backlog() const override { return waiting; }
};

/// Knows tickets; away when told so.
class ScriptedOrders final : public OrderLedger {
  public:
    std::vector<TicketRecord> known;  // of any buyer, the latest first
    std::vector<TicketRecord> journal;
    std::deque<std::optional<TicketRecord>> looked_up;  // what ticket() finds, one after another
    std::vector<Ticket> fenced;
    std::vector<TicketId> stuck_tickets;
    std::map<SaleId, HotCopy> copies;  // as the ledger has them
    std::map<SaleId, std::vector<HotChange>> outbox;
    std::deque<Timestamp> due;       // of pending orders, in order
    std::vector<std::size_t> sizes;  // what each expiry took
    std::vector<DuePlace> stuck;     // before them, in order: due, but stuck
    std::size_t stuck_seen = 0;
    std::size_t old_hot_changes = 0;
    int lookups = 0;
    std::vector<SaleId> compared;  // whose hot copy was read
    bool away = false;

    Task<Past> past(Ticket) override {
        ++lookups;
        if (away) throw Outage("away");
        Past found{.same_wish = known, .latest = {}};
        if (!known.empty()) found.latest = known.front();
        co_return found;
    }
    Task<std::optional<TicketRecord>> latest_ticket(SaleId, UserId) override {
        if (known.empty()) co_return std::nullopt;
        co_return known.front();
    }
    Task<std::optional<TicketRecord>> ticket(TicketId, UserId) override {
        ++lookups;
        if (away) throw Outage("away");
        if (looked_up.empty()) co_return std::nullopt;
        auto record = std::move(looked_up.front());
        looked_up.pop_front();
        co_return record;
    }
    Task<std::optional<Order>> order(OrderId id, UserId buyer) override {
        if (away) throw Outage("away");
        for (const auto& order : orders_of[buyer])
            if (order.id == id) co_return order;
        co_return std::nullopt;
    }
    UnpaidHolds unpaid;
    Task<UnpaidHolds> unpaid_holds(SaleId, UserId) override {
        ++lookups;
        if (away) throw Outage("away");
        co_return unpaid;
    }
    std::map<UserId, std::vector<Order>> orders_of;
    int order_lists = 0;
    Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId>, std::size_t) override {
        ++order_lists;
        if (away) throw Outage("away");
        co_return orders_of[buyer];
    }
    Task<Outcome<GivenBack>> cancel(OrderId, UserId, Timestamp) override {
        co_return refuse(Reason::not_found);
    }
    std::deque<HoldsGivenBack> given_back;  // what giving holds back answers; then nothing is left
    std::vector<HoldsWanted> wanted_back;
    std::vector<Deed> deeds;
    Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) override {
        if (away) throw Outage("away");
        wanted_back.push_back(wanted);
        deeds.push_back(std::move(deed));
        HoldsGivenBack given{.held = {}, .last = wanted.after};
        if (given_back.empty()) co_return given;
        given = given_back.front();
        given_back.pop_front();
        co_return given;
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
               expired.stuck.size() + expired.orders < limit) {
            ++expired.orders;
            expired.sales = {SaleId{1}};
            expired.last = std::max(expired.last, DuePlace{due.front(), OrderId{1}});
            due.pop_front();
        }
        sizes.push_back(expired.orders);
        co_return expired;
    }
    std::vector<std::size_t> asked_for;  // tickets in each look
    Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> asked) override {
        if (away) throw Outage("away");
        asked_for.push_back(asked.size());
        auto records = journal;
        std::erase_if(records, [&](const TicketRecord& record) {
            return std::ranges::find(asked, record.id, &Ticket::id) == asked.end();
        });
        co_return records;
    }
    Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                             std::size_t limit) override {
        if (away) throw Outage("away");
        std::vector<HotChange> rows;
        for (const auto& row : outbox[sale])
            if (row.seq > after && rows.size() < limit) rows.push_back(row);
        co_return rows;
    }
    Task<std::size_t> prune_hot_changes(Timestamp, std::size_t limit) override {
        const auto pruned = std::min(limit, old_hot_changes);
        old_hot_changes -= pruned;
        co_return pruned;
    }
    Task<Fenced> fence(std::vector<Ticket> given) override {
        if (away) throw Outage("away");
        Fenced result;
        for (const auto& ticket : given) {
            if (std::ranges::find(stuck_tickets, ticket.id) != stuck_tickets.end()) {
                result.stuck.push_back(ticket.id);
                continue;
            }
            auto row = std::ranges::find(journal, ticket.id, &TicketRecord::id);
            if (row == journal.end()) row = journal.insert(row, fence_of(ticket));
            result.records.push_back(*row);
        }
        fenced.insert(fenced.end(), given.begin(), given.end());
        co_return result;
    }
    std::string ledger_name = "ledger";
    Task<std::string> name() override {
        if (away) throw Outage("away");
        co_return ledger_name;
    }
    Task<std::vector<HotCopy>> hot_copies(Timestamp) override { co_return std::vector<HotCopy>{}; }
    Task<std::optional<HotCopy>> hot_copy(SaleId sale) override {
        if (away) throw Outage("away");
        compared.push_back(sale);
        if (!copies.contains(sale)) co_return std::nullopt;
        co_return copies[sale];
    }
    Task<std::optional<HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                             Timestamp now) override {
        if (away) throw Outage("away");
        if (!copies.contains(sale)) co_return std::nullopt;
        auto& copy = copies[sale];
        copy.filling.epoch = std::max({copy.filling.epoch, above, to_millis(now)}) + 1;
        co_return copy;
    }
};

/// An empty ledger: the catalog has what the test puts there.
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
