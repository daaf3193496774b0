#pragma once

#include <optional>

#include "ports/buyer_list_ledger.hpp"
#include "ports/clock.hpp"
#include "ports/hold_network_ledger.hpp"
#include "ports/order_ledger.hpp"
#include "ports/picture_ledger.hpp"
#include "ports/receipt.hpp"
#include "ports/sandbox_ledger.hpp"
#include "ports/session_ledger.hpp"
#include "ports/stats_ledger.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// Forgets the sessions that have expired, the receipts whose day is over, the points of sales'
/// histories that are older than their kind is kept, the sandbox's old bills and letters,
/// deliveries of webhooks by their age, rows of the hot outbox after a day, the networks of
/// holds, the lists of sales that are over, and each hour pictures that no item shows.
/// Sessions and receipts are invisible from their last instant on anyway: this only gives their
/// space back.
class Pruner {
  public:
    struct Keep {
        std::chrono::hours sandbox{30 * 24};
        std::chrono::hours delivered{7 * 24};
        std::chrono::hours dead{30 * 24};
        /// A hot copy that has lost its last writes gets these rows again.
        std::chrono::hours hot_changes{24};
        /// After the end of the sale: they may be phones of people.
        std::chrono::hours buyer_lists{30 * 24};
    };

    Pruner(const Clock& clock, SessionLedger& sessions, ReceiptLedger& receipts, StatsLedger& stats,
           SandboxLedger& sandbox, WebhookLedger& webhooks, OrderLedger& orders,
           HoldNetworkLedger& hold_networks, BuyerListLedger& buyer_lists, PictureLedger& pictures,
           Keep keep)
        : clock_(clock),
          sessions_(sessions),
          receipts_(receipts),
          stats_(stats),
          sandbox_(sandbox),
          webhooks_(webhooks),
          orders_(orders),
          hold_networks_(hold_networks),
          buyer_lists_(buyer_lists),
          pictures_(pictures),
          keep_(keep) {}

    /// One round, in parts so small that a purchase behind one does not notice it, and a limited
    /// number of them: what is left is for the next round. Throws Outage or Overload.
    Task<> prune_once();

  private:
    Task<> prune_pictures(Timestamp now);

    const Clock& clock_;
    SessionLedger& sessions_;
    ReceiptLedger& receipts_;
    StatsLedger& stats_;
    SandboxLedger& sandbox_;
    WebhookLedger& webhooks_;
    OrderLedger& orders_;
    HoldNetworkLedger& hold_networks_;
    BuyerListLedger& buyer_lists_;
    PictureLedger& pictures_;
    std::optional<Timestamp> pictures_looked_at_;
    const Keep keep_;
};

}  // namespace sluice
