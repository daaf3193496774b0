#pragma once

#include "cluster_simulation/hot_tier.hpp"

namespace sluice::cluster_simulation {

/// The connection of one process to the hot tier. It names its connection's run id with every verb,
/// and connects again when there was no answer.
class HotClient final : public StockGate {
  public:
    HotClient(HotTier& tier, Network& network, std::shared_ptr<Life> life, Switch left_out)
        : tier_(tier), network_(network), life_(std::move(life)), left_out_(left_out) {}

    /// Unused in this simulation: edges rely on the claim.
    Glance glance(SaleId, UserId) const override { return {}; }
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override;
    Task<bool> is_open(TicketId ticket, UserId buyer) override;
    Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) override;
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) override;
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override;
    Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) override;
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override;
    Task<Done> release(std::vector<ClaimName> claims) override;
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override;
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) override;
    Task<bool> fill(Filling filling, Holdings chunk) override;
    Task<bool> open_epoch(Filling filling) override;
    Task<bool> forget(SaleId sale, std::int64_t epoch) override;
    Task<std::int64_t> opened_epoch(SaleId sale) override;
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override;
    Task<std::vector<OpenCopy>> open_copies() override;
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override;
    Task<UnderWay> under_way() override;

    /// The sale that the hot tier holds; there is one in this simulation.
    static constexpr SaleId kSale{1};

  private:
    template <class T, class Verb>
    Task<T> call(std::string what, Verb verb);

    HotTier& tier_;
    Network& network_;
    const std::shared_ptr<Life> life_;
    const Switch left_out_;
    std::optional<HotTier::Connection> connection_;
};

}  // namespace sluice::cluster_simulation
