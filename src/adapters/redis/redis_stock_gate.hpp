#pragma once

#include "adapters/redis/follower.hpp"
#include "ports/open_claims.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"

namespace sluice::redis {

/// The hot copies of a cluster, in Redis. Each verb is a script of lua/. A glance is answered from
/// what this process has read in the logs of the sales, and is cold when they could not be read for
/// two seconds. Every verb except claim throws what Client::call throws; a claim without an answer
/// is unknown.
class RedisStockGate final : public StockGate {
  public:
    /// `following` has one loop, on which follow() runs.
    RedisStockGate(Client& client, Client& following, StockSignals* signals = nullptr);

    /// Follows the logs until stop_following(), which is called on the same loop.
    Task<> follow() { return follower_.follow(); }
    void stop_following() { follower_.stop(); }

    Glance glance(SaleId sale, UserId buyer) const override { return views_.glance(sale, buyer); }
    bool sees_claims_at_once() const override { return false; }
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override;
    Task<Done> set_terms(SaleId sale, Terms terms) override;
    Task<bool> may_fill(SaleId sale) override;
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

    /// nullopt when the copy is closed. Throws Overload when too many claims are open to be read in
    /// one step.
    Task<std::optional<OpenClaims>> open_claims(SaleId sale);

  private:
    bool is_closed(const Reply& reply, SaleId sale, UserId buyer) const;
    /// Claims of one sale and one epoch, as many as fit into one script.
    struct Batch {
        SaleId sale;
        std::int64_t epoch = 0;
        std::vector<Mark> marks;
    };
    static std::vector<Batch> in_batches(const std::vector<ClaimName>& claims);

    Call call_of(std::string_view name, SaleId sale, std::vector<std::string> arguments) const;
    Task<Reply> run(std::string_view name, SaleId sale, std::vector<std::string> arguments);
    Task<std::vector<Reply>> run_batches(std::string_view name, const std::vector<Batch>& batches);
    Task<std::vector<TicketId>> list_batches(std::string_view name, std::vector<ClaimName> claims);
    Task<std::vector<Ticket>> stale(char stage, Timestamp claimed_before);
    Claimed read_claim(const Reply& reply, const Ticket& ticket);
    void hear(SaleId sale, std::int64_t epoch, ReplyView told, std::size_t from);
    Task<> load(SaleId sale);
    Task<std::optional<Snapshot>> try_snapshot(SaleId sale);

    Client& client_;
    const std::string name_;  // identifies this process among those that fill
    const Keys keys_;
    SaleViews views_;
    CopyReader reader_;
    Follower follower_;
};

}  // namespace sluice::redis
