#include "cluster_simulation/hot_client.hpp"

#include "cluster_simulation/names.hpp"

namespace sluice::cluster_simulation {

template <class T, class Verb>
Task<T> HotClient::call(std::string what, Verb verb) {
    if (!connection_) connection_ = tier_.connect();
    auto work = [&tier = tier_, connection = *connection_, verb = std::move(verb)]() mutable -> T {
        return verb(tier.at(connection), connection.run);
    };
    try {
        auto answer =
            co_await network_.call<T>(life_, std::move(what), Network::Faults{}, std::move(work));
        co_return answer;
    } catch (const Outage&) {
        connection_.reset();
        throw;
    }
}

Task<StockGate::Claimed> HotClient::claim(Ticket ticket, std::int64_t limit) {
    auto what = "claim " + short_name(ticket.id);
    auto verb = [=](HotKeys& keys, const RunId& run) { return keys.claim(run, ticket, limit); };
    try {
        const auto claimed = co_await call<Claimed>(std::move(what), std::move(verb));
        co_return claimed;
    } catch (const Outage&) {
        co_return Claimed{};
    }
}

Task<bool> HotClient::is_open(TicketId ticket, UserId buyer) {
    return call<bool>("is_open", [=](HotKeys& keys, const RunId& run) {
        return keys.is_open(run, ticket, buyer);
    });
}

Task<std::optional<TicketId>> HotClient::latest_open(SaleId, UserId buyer) {
    return call<std::optional<TicketId>>("latest_open", [=](HotKeys& keys, const RunId& run) {
        return keys.latest_open(run, buyer);
    });
}

Task<std::vector<TicketId>> HotClient::hand_off(std::vector<ClaimName> claims) {
    auto what = "hand_off" + short_names(claims);
    auto verb = [claims](HotKeys& keys, const RunId& run) { return keys.hand_off(run, claims); };
    auto marked = co_await call<std::vector<TicketId>>(std::move(what), std::move(verb));
    if (left_out_ == Switch::yes_without_mark) {
        marked.clear();
        for (const auto& claim : claims) marked.push_back(claim.ticket);
    }
    co_return marked;
}

Task<std::vector<Ticket>> HotClient::condemn(Timestamp claimed_before) {
    return call<std::vector<Ticket>>("condemn", [=](HotKeys& keys, const RunId& run) {
        return keys.condemn(run, claimed_before);
    });
}

Task<std::vector<Ticket>> HotClient::handed_off(Timestamp claimed_before) {
    return call<std::vector<Ticket>>("handed_off", [=](HotKeys& keys, const RunId& run) {
        return keys.handed_off(run, claimed_before);
    });
}

Task<std::vector<TicketId>> HotClient::settle(std::vector<ClaimName> claims) {
    const auto what = "settle" + short_names(claims);
    return call<std::vector<TicketId>>(
        what, [claims = std::move(claims)](HotKeys& keys, const RunId& run) {
            return keys.settle(run, claims);
        });
}

Task<Done> HotClient::release(std::vector<ClaimName> claims) {
    const auto what = "release" + short_names(claims);
    return call<Done>(what, [claims = std::move(claims)](HotKeys& keys, const RunId& run) {
        keys.release(run, claims);
        return Done{};
    });
}

Task<std::optional<std::int64_t>> HotClient::apply(SaleId, std::int64_t epoch,
                                                   std::vector<HotChange> rows) {
    const auto what = "apply " + std::to_string(rows.size()) + " rows";
    return call<std::optional<std::int64_t>>(
        what, [epoch, rows = std::move(rows)](HotKeys& keys, const RunId& run) {
            return keys.apply(run, epoch, rows);
        });
}

Task<bool> HotClient::begin_fill(Filling filling, std::int64_t left, std::int64_t applied) {
    const auto what = "begin_fill " + short_epoch(filling.epoch) + " left " + std::to_string(left);
    return call<bool>(what, [=](HotKeys& keys, const RunId& run) {
        return keys.begin_fill(run, filling, left, applied);
    });
}

Task<bool> HotClient::fill(Filling filling, Holdings chunk) {
    const auto what = "fill " + short_epoch(filling.epoch);
    return call<bool>(
        what, [=](HotKeys& keys, const RunId& run) { return keys.fill(run, filling, chunk); });
}

Task<bool> HotClient::open_epoch(Filling filling) {
    const auto what = "open_epoch " + short_epoch(filling.epoch);
    return call<bool>(
        what, [=](HotKeys& keys, const RunId& run) { return keys.open_epoch(run, filling); });
}

Task<bool> HotClient::forget(SaleId, std::int64_t epoch) {
    return call<bool>("forget",
                      [=](HotKeys& keys, const RunId& run) { return keys.forget(run, epoch); });
}

Task<std::int64_t> HotClient::opened_epoch(SaleId) {
    return call<std::int64_t>("opened_epoch",
                              [](HotKeys& keys, const RunId&) { return keys.epoch(); });
}

Task<std::optional<StockGate::OpenCopy>> HotClient::open_copy(SaleId sale) {
    return call<std::optional<OpenCopy>>(
        "open_copy", [=](HotKeys& keys, const RunId& run) { return keys.open_copy(run, sale); });
}

Task<std::vector<StockGate::OpenCopy>> HotClient::open_copies() {
    return call<std::vector<OpenCopy>>("open_copies", [](HotKeys& keys, const RunId& run) {
        std::vector<OpenCopy> copies;
        if (auto copy = keys.open_copy(run, kSale)) copies.push_back(std::move(*copy));
        return copies;
    });
}

Task<std::optional<StockGate::Snapshot>> HotClient::snapshot(SaleId) {
    return call<std::optional<Snapshot>>(
        "snapshot", [](HotKeys& keys, const RunId& run) { return keys.snapshot(run); });
}

Task<StockGate::UnderWay> HotClient::under_way() {
    return call<UnderWay>("under_way",
                          [](HotKeys& keys, const RunId& run) { return keys.under_way(run); });
}

}  // namespace sluice::cluster_simulation
