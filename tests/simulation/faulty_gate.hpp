#pragma once

#include "ports/stock_gate.hpp"
#include "simulation/schedule.hpp"

namespace sluice::simulation {

/// A gate behind a bad connection: verbs and their answers arrive late and in any order; some
/// arrive twice, and claims or their answers get lost.
class FaultyGate final : public StockGate {
  public:
    FaultyGate(StockGate& gate, Schedule& schedule) : gate_(gate), schedule_(schedule) {}

    Glance glance(SaleId sale, UserId buyer) const override { return gate_.glance(sale, buyer); }
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override;
    Task<bool> is_open(TicketId ticket, UserId buyer) override {
        return gate_.is_open(ticket, buyer);
    }
    Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) override {
        return gate_.latest_open(sale, buyer);
    }
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) override;
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override;
    Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) override {
        return gate_.handed_off(claimed_before);
    }
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override;
    Task<Done> release(std::vector<ClaimName> claims) override;
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override;
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) override;
    Task<bool> fill(Filling filling, Holdings chunk) override;
    Task<bool> open_epoch(Filling filling) override;
    Task<bool> forget(SaleId sale, std::int64_t epoch) override {
        return gate_.forget(sale, epoch);
    }
    Task<std::int64_t> opened_epoch(SaleId sale) override { return gate_.opened_epoch(sale); }
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override { return gate_.open_copy(sale); }
    Task<std::vector<OpenCopy>> open_copies() override { return gate_.open_copies(); }
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override { return gate_.snapshot(sale); }
    Task<UnderWay> under_way() override { return gate_.under_way(); }

  private:
    Task<> claim_again(Ticket ticket, std::int64_t limit);
    Task<> settle_again(std::vector<ClaimName> claims);
    Task<> release_again(std::vector<ClaimName> claims);
    Task<> apply_again(SaleId sale, std::int64_t epoch, std::vector<HotChange> rows);

    StockGate& gate_;
    Schedule& schedule_;
};

}  // namespace sluice::simulation
