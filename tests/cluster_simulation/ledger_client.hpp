#pragma once

#include "cluster_simulation/hot_tier.hpp"
#include "cluster_simulation/ledger.hpp"
#include "cluster_simulation/network.hpp"
#include "ports/clock.hpp"

namespace sluice::cluster_simulation {

/// The state that all processes share of the ledger's server.
struct LedgerServer {
    Ledger& ledger;
    HotTier& hot;  // used by switches only
    bool is_away = false;
};

/// The connection of one process to the ledger. A transaction may find the ledger away, lose a
/// deadlock, or leave open whether it was committed.
class LedgerClient final : public OrderLedger, public TicketLedger {
  public:
    LedgerClient(LedgerServer& server, Network& network, std::shared_ptr<Life> life,
                 const Clock& clock, Switch left_out)
        : server_(server),
          network_(network),
          life_(std::move(life)),
          clock_(clock),
          left_out_(left_out) {}

    // OrderLedger
    Task<Past> past(Ticket wish) override;
    Task<std::optional<TicketRecord>> latest_ticket(SaleId sale, UserId buyer) override;
    Task<std::optional<TicketRecord>> ticket(TicketId id, UserId buyer) override;
    Task<UnpaidHolds> unpaid_holds(SaleId sale, UserId buyer) override;
    Task<std::optional<Order>> order(OrderId id, UserId buyer) override;
    Task<std::vector<Order>> orders(UserId buyer, std::optional<OrderId> before,
                                    std::size_t limit) override;
    Task<Outcome<GivenBack>> cancel(OrderId id, UserId buyer, Timestamp now) override;
    Task<HoldsGivenBack> give_back_holds(HoldsWanted wanted, Deed deed) override;
    Task<std::optional<Timestamp>> next_due(DuePlace after) override;
    Task<Expired> expire(Timestamp now, std::size_t limit, DuePlace after) override;
    Task<std::vector<TicketRecord>> tickets(std::vector<Ticket> tickets) override;
    Task<Fenced> fence(std::vector<Ticket> tickets) override;
    Task<std::vector<HotChange>> hot_changes(SaleId sale, std::int64_t after,
                                             std::size_t limit) override;
    Task<std::size_t> prune_hot_changes(Timestamp older_than, std::size_t limit) override;
    Task<std::string> name() override;
    Task<std::vector<HotCopy>> hot_copies(Timestamp now) override;
    Task<std::optional<HotCopy>> hot_copy(SaleId sale) override;
    Task<std::optional<HotCopy>> begin_epoch(SaleId sale, std::int64_t above,
                                             Timestamp now) override;

    // TicketLedger
    Task<std::vector<Written>> write(std::vector<Ticket> tickets) override;
    Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) override;
    Task<std::vector<Ticket>> prepared(std::size_t most) override;
    Task<std::int64_t> count_prepared() override;
    Task<Written> refuse(Ticket ticket, Deed deed) override;

    /// An operator adds units to the stock, or takes some away.
    Task<Done> restock(std::int64_t delta);

  private:
    template <class T, class Work>
    Task<T> read(std::string what, Work work);
    template <class T, class Work>
    Task<T> write(std::string what, Work work);
    template <class T, class Work>
    Task<T> call(std::string what, Network::Faults faults, Work work);

    LedgerServer& server_;
    Network& network_;
    const std::shared_ptr<Life> life_;
    const Clock& clock_;
    const Switch left_out_;
};

}  // namespace sluice::cluster_simulation
