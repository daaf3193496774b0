#pragma once

#include <functional>
#include <memory>

#include "base/id_source.hpp"
#include "base/listeners.hpp"
#include "ports/block_ledger.hpp"
#include "ports/buyer_list_ledger.hpp"
#include "ports/catalog_changes.hpp"
#include "ports/clock.hpp"
#include "ports/contact_ledger.hpp"
#include "ports/delivery_ledger.hpp"
#include "ports/hold_network_ledger.hpp"
#include "ports/ledger_health.hpp"
#include "ports/news.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/order_list.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/picture_ledger.hpp"
#include "ports/receipt.hpp"
#include "ports/sandbox_ledger.hpp"
#include "ports/second_factor_ledger.hpp"
#include "ports/session_ledger.hpp"
#include "ports/settings_ledger.hpp"
#include "ports/stats_ledger.hpp"
#include "ports/ticket_ledger.hpp"
#include "ports/trail_ledger.hpp"
#include "ports/user_ledger.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// The system of record: all ledgers of one shop, and the callbacks about their changes. Outlives
/// the coroutines that call its ports; its destructor finishes what waits. The event loops of its
/// callers outlive it, because its threads post results to them until its end.
class Ledgers {
  public:
    virtual ~Ledgers() = default;

    virtual UserLedger& users() = 0;
    virtual SessionLedger& sessions() = 0;
    virtual SecondFactorLedger& second_factors() = 0;
    virtual CatalogLedger& catalog() = 0;
    virtual CatalogChanges& catalog_changes() = 0;
    virtual TrailLedger& trail() = 0;
    virtual ReceiptLedger& receipts() = 0;
    virtual OrderLedger& orders() = 0;
    virtual OrderList& order_list() = 0;
    virtual PaymentLedger& payments() = 0;
    virtual SandboxLedger& sandbox() = 0;
    virtual BlockLedger& blocks() = 0;
    virtual SettingsLedger& settings() = 0;
    virtual StatsLedger& stats() = 0;
    virtual WebhookLedger& webhooks() = 0;
    virtual ParkedLedger& parked() = 0;
    virtual HoldNetworkLedger& hold_networks() = 0;
    virtual BuyerListLedger& buyer_lists() = 0;
    virtual DeliveryLedger& deliveries() = 0;
    virtual ContactLedger& contacts() = 0;
    virtual PictureLedger& pictures() = 0;

    /// The intake for tickets. Its destructor waits for those under way; the ledgers outlive it.
    virtual std::unique_ptr<OrderIntake> open_intake(const Clock& clock, IdSource& ids,
                                                     const IntakeOptions& options) = 0;
    /// With this a writer decides tickets that came by another way. `on_hold` as in IntakeOptions.
    /// The ledgers outlive it.
    virtual std::unique_ptr<TicketLedger> open_tickets(const Clock& clock, IdSource& ids,
                                                       std::function<void(Timestamp)> on_hold) = 0;

    // The callbacks below are called from any thread, until their subscription ends. They must not
    // block, throw or call the ledgers. News and commits each have one listener: end its
    // subscription before you begin the next.

    using OnNews = std::function<void(const NewsEdition&)>;
    using Wants = std::function<bool(UserId)>;
    /// Called with every change that the intake, a payment, a way back or an operator makes to a
    /// sale, and with the tickets and orders of the buyers for whom `wants` is true, before the
    /// caller who made the change is answered. Without `wants` there is news of no buyer.
    Subscription on_news(OnNews listener, Wants wants) {
        set_news_listener(std::move(listener), std::move(wants));
        return Subscription([this] { set_news_listener({}, {}); });
    }
    /// Called after each commit of this process, whatever is in it.
    Subscription on_commit(std::function<void()> callback) {
        set_commit_callback(std::move(callback));
        return Subscription([this] { set_commit_callback({}); });
    }
    /// Called soon after another process has committed. Any number may listen.
    Subscription on_external_change(std::function<void()> callback) {
        auto subscription = outside_.add(std::move(callback));
        set_external_change_callback([this] { outside_.tell(); });
        return subscription;
    }

    /// Recovers by itself, soon after the store does. From any thread.
    virtual LedgerHealth health() const = 0;

  private:
    // An empty callback means that nobody is told. When these return, the callback before is not
    // running, and is never called again.
    virtual void set_news_listener(OnNews listener, Wants wants) = 0;
    virtual void set_commit_callback(std::function<void()> callback) = 0;
    virtual void set_external_change_callback(std::function<void()> callback) = 0;

    Listeners outside_;  // for changes
};

}  // namespace sluice
