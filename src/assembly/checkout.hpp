#pragma once

#include "api/shop/buying.hpp"
#include "api/shop/entrance.hpp"
#include "api/shop/listing.hpp"
#include "api/shop/orders.hpp"
#include "app/orders/network_notes.hpp"
#include "app/passes/challenge_desk.hpp"
#include "app/passes/issue_pass.hpp"
#include "app/passes/listed_buyers.hpp"
#include "app/purchase/absences.hpp"
#include "app/purchase/decision_watch.hpp"
#include "app/purchase/find_ticket.hpp"
#include "assembly/binding.hpp"
#include "assembly/broker_tier.hpp"
#include "assembly/keeper.hpp"
#include "assembly/purchase_line.hpp"
#include "gate/attempt_limiter.hpp"
#include "gate/guess_limiter.hpp"

namespace sluice {

/// The routes of the purchase line: challenges, passes, purchases, tickets and orders.
class Checkout {
  public:
    struct Parts {
        PurchaseLine& line;
        const Catalog& catalog;
        StockGate& gate;
        OrderLedger& orders;
        HoldNetworkLedger& hold_networks;
        BuyerListLedger& buyer_lists;
        PhoneForm phone_form;
        DeliveryLedger& deliveries;
        gate::GuessLimiter& guesses;
        const LimitScope& limit_scope;
        const gate::RatesInForce& rates;
        gate::CountExchange* exchange;  // of the gatehouse
        const BrokerTier* broker;       // nullptr: there is none
        Random& random;
        const Clock& clock;
    };
    struct Options {
        WorkChallenges::Key work_key;
        ChallengeDesk::Options challenges;
        std::array<unsigned char, 16> hash_key;
        std::size_t absence_sets = Absences::kSets;
    };
    Checkout(const Parts& parts, const Options& options);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    /// Writes what has not been written yet.
    Task<> stop() { return network_notes_.write_last(); }
    void add_metrics(MetricsPage& metrics) const;

  private:
    ChallengeDesk challenges_;
    gate::AttemptLimiter attempts_;
    // One for each kind of thing, since the ids of two kinds may look the same.
    Absences absent_tickets_;
    Absences absent_orders_;
    NetworkHolders network_holders_;
    NetworkNotes network_notes_;
    ListedBuyers listed_buyers_;
    IssuePass issue_pass_;
    FindTicket find_ticket_;
    DecisionWatch decisions_;
    api::Entrance entrance_;
    api::Listing listing_;
    api::Buying buying_;
    api::Orders orders_;
};

}  // namespace sluice
