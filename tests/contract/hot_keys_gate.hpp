#pragma once

#include <map>

#include "cluster_simulation/hot_keys.hpp"

namespace sluice::testing_support {

/// The keys of the simulated Redis as a gate, without a network in between.
class HotKeysGate final : public StockGate {
  public:
    Glance glance(SaleId sale, UserId buyer) const override { return of(sale).glance(kRun, buyer); }
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override {
        co_return of(ticket.id.sale).claim(kRun, ticket, limit);
    }
    Task<bool> is_open(TicketId ticket, UserId buyer) override {
        co_return of(ticket.sale).is_open(kRun, ticket, buyer);
    }
    Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) override {
        co_return of(sale).latest_open(kRun, buyer);
    }
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) override {
        co_return by_sale(claims,
                          [](HotKeys& keys, const auto& own) { return keys.hand_off(kRun, own); });
    }
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override {
        co_return of_all([=](HotKeys& keys) { return keys.condemn(kRun, claimed_before); });
    }
    Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) override {
        co_return of_all([=](HotKeys& keys) { return keys.handed_off(kRun, claimed_before); });
    }
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override {
        co_return by_sale(claims,
                          [](HotKeys& keys, const auto& own) { return keys.settle(kRun, own); });
    }
    Task<Done> release(std::vector<ClaimName> claims) override {
        for (const auto& claim : claims) of(claim.ticket.sale).release(kRun, {claim});
        co_return Done{};
    }
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override {
        co_return of(sale).apply(kRun, epoch, rows);
    }
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) override {
        co_return of(filling.sale).begin_fill(kRun, filling, left, applied);
    }
    Task<bool> fill(Filling filling, Holdings chunk) override {
        co_return of(filling.sale).fill(kRun, filling, chunk);
    }
    Task<bool> open_epoch(Filling filling) override {
        co_return of(filling.sale).open_epoch(kRun, filling);
    }
    Task<bool> forget(SaleId sale, std::int64_t epoch) override {
        co_return of(sale).forget(kRun, epoch);
    }
    Task<std::int64_t> opened_epoch(SaleId sale) override { co_return of(sale).epoch(); }
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override {
        co_return of(sale).open_copy(kRun, sale);
    }
    Task<std::vector<OpenCopy>> open_copies() override {
        std::vector<OpenCopy> copies;
        for (auto& [sale, keys] : sales_)
            if (auto copy = keys.open_copy(kRun, sale)) copies.push_back(std::move(*copy));
        co_return copies;
    }
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override {
        co_return of(sale).snapshot(kRun);
    }
    Task<UnderWay> under_way() override {
        UnderWay all;
        for (auto& [sale, keys] : sales_) {
            const auto one = keys.under_way(kRun);
            all.claims += one.claims;
            all.decided += one.decided;
            if (!one.oldest_handed_off) continue;
            const auto oldest = *one.oldest_handed_off;
            all.oldest_handed_off = std::min(all.oldest_handed_off.value_or(oldest), oldest);
        }
        co_return all;
    }

  private:
    using HotKeys = cluster_simulation::HotKeys;
    static constexpr cluster_simulation::RunId kRun{.server = 1, .replication = 1};

    HotKeys& of(SaleId sale) const {
        return sales_.try_emplace(sale, cluster_simulation::Switch::none).first->second;
    }
    template <class Verb>
    std::vector<TicketId> by_sale(const std::vector<ClaimName>& claims, const Verb& verb) {
        std::vector<TicketId> answer;
        for (const auto& claim : claims) {
            const auto some = verb(of(claim.ticket.sale), std::vector{claim});
            answer.insert(answer.end(), some.begin(), some.end());
        }
        return answer;
    }
    template <class List>
    std::vector<Ticket> of_all(const List& list) {
        std::vector<Ticket> answer;
        for (auto& [sale, keys] : sales_) {
            const auto some = list(keys);
            answer.insert(answer.end(), some.begin(), some.end());
        }
        return answer;
    }

    mutable std::map<SaleId, HotKeys> sales_;
};

}  // namespace sluice::testing_support
