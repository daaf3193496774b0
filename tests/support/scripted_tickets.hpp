#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/outage.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/taken.hpp"
#include "ports/ticket_ledger.hpp"
#include "ports/ticket_queue.hpp"
#include "ports/ticket_source.hpp"

namespace sluice::testing_support {

/// A broker without faults of its own: what it keeps is delivered once, and again when asked.
/// Refuses when told so.
class ScriptedQueue final : public TicketQueue, public TicketSource {
  public:
    bool keeps = true;  // confirms what is posted
    bool can_park = true;
    std::vector<std::size_t> posted;  // tickets in each message
    std::map<std::uint64_t, std::vector<Ticket>> messages;
    std::set<std::uint64_t> taken;
    std::vector<std::uint64_t> acknowledged;
    std::vector<std::pair<TicketId, std::string>> parked;
    int given_back = 0;
    std::string reason;  // of what is delivered

    bool holds_confirms = false;

    Task<bool> post(std::vector<Ticket> tickets) override {
        posted.push_back(tickets.size());
        if (holds_confirms) {
            auto start = [this](Completion<Done> resume) { confirm_ = std::move(resume); };
            co_await await_completion<Done>(std::move(start));
        }
        if (!keeps) co_return false;
        messages.emplace(posted.size(), std::move(tickets));
        co_return true;
    }
    Task<std::vector<Delivery>> take(std::size_t most) override {
        std::vector<Delivery> deliveries;
        std::size_t count = 0;
        for (const auto& [tag, tickets] : messages) {
            if (taken.contains(tag)) continue;
            if (count > 0 && count + tickets.size() > most) break;
            count += tickets.size();
            taken.insert(tag);
            deliveries.push_back({tag, tickets, reason});
        }
        co_return deliveries;
    }
    Task<Done> acknowledge(std::vector<std::uint64_t> tags) override {
        for (const auto tag : tags) {
            if (taken.erase(tag) == 0) continue;  // it was given back
            messages.erase(tag);
            acknowledged.push_back(tag);
        }
        co_return Done{};
    }
    Task<Done> give_back() override {
        ++given_back;
        taken.clear();
        co_return Done{};
    }
    Task<bool> park(Ticket ticket, std::string why) override {
        if (can_park) parked.emplace_back(ticket.id, std::move(why));
        co_return can_park;
    }

    void deliver_again() { taken.clear(); }
    /// Of the message that is held.
    void confirm() {
        holds_confirms = false;
        confirm_(nullptr, Done{});
    }

  private:
    Completion<Done> confirm_;
};

/// Decides as a test sets it; away when told so.
class ScriptedTickets final : public TicketLedger {
  public:
    std::map<TicketId, TicketRecord> journal;
    std::set<TicketId> bad;  // cannot be written
    std::set<TicketId> bad_to_refuse;
    const std::map<TicketId, ParkedTicket>* parking = nullptr;  // the table, if there is one
    std::set<TicketId> sold_out;                                // are refused
    int unknown_commits = 0;  // that come: committed, but nobody hears of it
    bool away = false;
    bool read_only = false;
    std::vector<std::size_t> writes;  // tickets in each

    Task<std::vector<Written>> write(std::vector<Ticket> tickets) override {
        if (away) throw Outage("away");
        if (read_only) throw ReadOnly("read only");
        writes.push_back(tickets.size());
        std::vector<Written> written;
        for (const auto& ticket : tickets) written.push_back(write_one(ticket));
        if (unknown_commits > 0) {
            --unknown_commits;
            throw UnknownOutcome("the connection ended");
        }
        co_return written;
    }
    Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) override {
        if (away) throw Outage("away");
        if (read_only) throw ReadOnly("read only");
        std::vector<Written> noted;
        for (const auto& ticket : tickets) {
            if (bad.contains(ticket.id)) {
                noted.push_back(std::unexpected("bad"));
                continue;
            }
            const auto [at, fresh] = journal.try_emplace(ticket.id, sluice::prepare(ticket));
            waiting_.emplace(ticket.id, ticket);
            noted.push_back(as_taken(at->second, at->second, fresh));
        }
        co_return noted;
    }
    Task<std::vector<Ticket>> prepared(std::size_t most) override {
        if (away) throw Outage("away");
        std::vector<Ticket> tickets;
        for (const auto& [id, ticket] : waiting_)
            if (journal[id].state == TicketState::prepared && tickets.size() < most &&
                !(parking && parking->contains(id)))
                tickets.push_back(ticket);
        co_return tickets;
    }

    Task<std::int64_t> count_prepared() override {
        co_return std::ranges::count_if(
            journal, [](const auto& each) { return each.second.state == TicketState::prepared; });
    }
    std::vector<Deed> deeds;  // of refusals
    Task<Written> refuse(Ticket ticket, Deed deed) override {
        if (away) throw Outage("away");
        if (bad_to_refuse.contains(ticket.id)) co_return std::unexpected("bad");
        auto& record = journal.try_emplace(ticket.id, sluice::prepare(ticket)).first->second;
        const bool fresh = record.state == TicketState::prepared;
        if (fresh) {
            roll_back(record, Reason::conflict);
            deeds.push_back(std::move(deed));
        }
        co_return as_taken(record, record, fresh);
    }

  private:
    Written write_one(const Ticket& ticket) {
        if (bad.contains(ticket.id)) return std::unexpected("bad");
        auto& record = journal.try_emplace(ticket.id, sluice::prepare(ticket)).first->second;
        const bool fresh = record.state == TicketState::prepared;
        if (fresh && sold_out.contains(ticket.id)) roll_back(record, Reason::sold_out);
        if (record.state == TicketState::prepared) {
            record.state = TicketState::committed;
            record.order = OrderId{static_cast<std::int64_t>(journal.size())};
        }
        return as_taken(record, record, fresh);
    }

    std::map<TicketId, Ticket> waiting_;
};

/// The table of parked tickets; away when told so.
class ScriptedParking final : public ParkedLedger {
  public:
    std::map<TicketId, ParkedTicket> tickets;
    std::map<TicketId, Ticket> former;
    std::vector<Deed> deeds;
    bool away = false;

    Task<Done> park(std::vector<ParkedTicket> parked) override {
        if (away) throw Outage("away");
        for (auto& each : parked) {
            const auto [at, fresh] = tickets.try_emplace(each.ticket.id, each);
            if (fresh) continue;
            at->second.reason = std::move(each.reason);
            ++at->second.tries;
        }
        co_return Done{};
    }
    Task<std::optional<ParkedTicket>> find(TicketId id) override {
        const auto at = tickets.find(id);
        co_return at == tickets.end() ? std::nullopt : std::optional(at->second);
    }
    Task<std::optional<Ticket>> find_former(TicketId id) override {
        const auto at = former.find(id);
        co_return at == former.end() ? std::nullopt : std::optional(at->second);
    }
    Task<std::vector<ParkedTicket>> list(std::optional<TicketId> after, std::size_t most) override {
        std::vector<ParkedTicket> listed;
        auto at = after ? tickets.upper_bound(*after) : tickets.begin();
        for (; at != tickets.end() && listed.size() < most; ++at) listed.push_back(at->second);
        co_return listed;
    }
    Task<std::int64_t> count() override { co_return static_cast<std::int64_t>(tickets.size()); }
    Task<Done> unpark(TicketId id, std::optional<Deed> deed) override {
        if (away) throw Outage("away");
        const auto at = tickets.find(id);
        if (at == tickets.end()) co_return Done{};
        former.emplace(id, at->second.ticket);
        tickets.erase(at);
        if (deed) deeds.push_back(std::move(*deed));
        co_return Done{};
    }
};

}  // namespace sluice::testing_support
