#pragma once

#include "ports/stock_gate.hpp"
#include "simulation/schedule.hpp"

namespace sluice::simulation {

/// A gate behind a bad line: verbs arrive late and in any order, their answers too; some arrive
/// twice, and claims get lost on the way there or back. A committed move is the exception: it is
/// applied once, since its contract says that the caller counts.
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
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override;
    Task<Done> release(std::vector<ClaimName> claims, Ground ground) override;
    Task<Done> apply(std::vector<Move> moves) override;
    Task<std::int64_t> expect(SaleId sale) override { return gate_.expect(sale); }
    Task<bool> warm(Copy copy) override;
    Task<bool> forget(SaleId sale, std::int64_t epoch) override {
        return gate_.forget(sale, epoch);
    }
    Task<std::vector<Filled>> copies() override { return gate_.copies(); }
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override { return gate_.snapshot(sale); }

  private:
    Task<> claim_again(Ticket ticket, std::int64_t limit);
    Task<> settle_again(std::vector<ClaimName> claims);
    Task<> release_again(std::vector<ClaimName> claims, Ground ground);

    StockGate& gate_;
    Schedule& schedule_;
};

}  // namespace sluice::simulation
