#include "cluster_simulation/broker.hpp"

#include <algorithm>

#include "cluster_simulation/names.hpp"

namespace sluice::cluster_simulation {
namespace {

constexpr std::int64_t kTrouble = 8;  // one post in so many

}  // namespace

bool Broker::post(const std::vector<Ticket>& tickets, bool is_troubled) {
    // Returned, or nacked. After a nack the message may be kept all the same.
    const bool is_kept = !is_troubled || chance_.one_in(3);
    if (is_kept) messages_.push_back({++tags_, 0, tickets});
    return !is_troubled;
}

Broker::Consumer Broker::connect() {
    connected_.insert(++consumers_);
    return consumers_;
}

void Broker::disconnect(Consumer consumer) {
    connected_.erase(consumer);
    for (auto& message : messages_)
        if (message.taken_by == consumer) message.taken_by = 0;
}

std::vector<TicketSource::Delivery> Broker::take(Consumer consumer, std::size_t most) {
    if (!connected_.contains(consumer)) throw Outage("the connection to the broker has ended");
    std::vector<Message*> waiting;
    for (auto& message : messages_)
        if (message.taken_by == 0) waiting.push_back(&message);
    std::vector<TicketSource::Delivery> taken;
    std::size_t tickets = 0;
    while (!waiting.empty()) {
        const auto at =
            waiting.begin() + static_cast<std::ptrdiff_t>(chance_.index(waiting.size()));
        auto& message = **at;
        if (tickets > 0 && tickets + message.tickets.size() > most) break;
        message.taken_by = consumer;
        tickets += message.tickets.size();
        taken.push_back({message.tag, message.tickets});
        waiting.erase(at);
        if (chance_.one_in(2)) break;  // the others have not arrived yet
    }
    return taken;
}

void Broker::acknowledge(Consumer consumer, const std::vector<std::uint64_t>& tags) {
    std::erase_if(messages_, [&](const Message& message) {
        return message.taken_by == consumer && std::ranges::find(tags, message.tag) != tags.end();
    });
}

std::vector<Ticket> Broker::lose_message() {
    if (messages_.empty()) return {};
    const auto at =
        messages_.begin() + static_cast<std::ptrdiff_t>(chance_.index(messages_.size()));
    auto tickets = std::move(at->tickets);
    messages_.erase(at);
    return tickets;
}

Task<bool> BrokerClient::post(std::vector<Ticket> tickets) {
    const auto what = "post" + short_names(tickets);
    const bool is_troubled = network_.strikes(kTrouble);
    auto work = [&broker = broker_, tickets = std::move(tickets), is_troubled] {
        return broker.post(tickets, is_troubled);
    };
    try {
        const bool kept =
            co_await network_.call<bool>(life_, what, Network::Faults{}, std::move(work));
        co_return kept;
    } catch (const Outage&) {
        co_return false;
    }
}

Task<std::vector<TicketSource::Delivery>> BrokerClient::take(std::size_t most) {
    const Network::Faults faults{.lost = 14, .late = 0, .doubled = 0};
    auto work = [&broker = broker_, most, consumer = consumer_] {
        return broker.take(consumer, most);
    };
    try {
        auto taken =
            co_await network_.call<std::vector<Delivery>>(life_, "take", faults, std::move(work));
        co_return taken;
    } catch (const Outage&) {
        reconnect();
        throw;
    }
}

Task<Done> BrokerClient::acknowledge(std::vector<std::uint64_t> tags) {
    auto work = [&broker = broker_, tags = std::move(tags), consumer = consumer_] {
        broker.acknowledge(consumer, tags);
        return Done{};
    };
    try {
        co_await network_.call<Done>(life_, "acknowledge", Network::Faults{}, std::move(work));
    } catch (const Outage&) {  // delivered again
        reconnect();
    }
    co_return Done{};
}

Task<Done> BrokerClient::give_back() {
    reconnect();
    co_return Done{};
}

/// The ledger of this simulation takes every ticket.
Task<bool> BrokerClient::park(Ticket, std::string) {
    co_return false;
}

void BrokerClient::reconnect() {
    broker_.disconnect(consumer_);
    consumer_ = broker_.connect();
}

}  // namespace sluice::cluster_simulation
