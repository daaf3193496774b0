#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sql/ledgers/blocks.hpp"
#include "adapters/sql/ledgers/buyer_lists.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/catalog_changes.hpp"
#include "adapters/sql/ledgers/contacts.hpp"
#include "adapters/sql/ledgers/deliveries.hpp"
#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/hold_networks.hpp"
#include "adapters/sql/ledgers/order_list.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/parked.hpp"
#include "adapters/sql/ledgers/payments.hpp"
#include "adapters/sql/ledgers/pictures.hpp"
#include "adapters/sql/ledgers/receipts.hpp"
#include "adapters/sql/ledgers/sandbox.hpp"
#include "adapters/sql/ledgers/second_factors.hpp"
#include "adapters/sql/ledgers/sessions.hpp"
#include "adapters/sql/ledgers/settings.hpp"
#include "adapters/sql/ledgers/stats.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/ledgers/users.hpp"
#include "adapters/sql/ledgers/webhooks.hpp"
#include "ports/ledgers.hpp"

namespace sluice::ledgers {

/// What an engine provides for its ledgers. All of it outlives them.
struct Engine {
    Writer& writer;
    Readers& readers;
    News& news;
    ArchiveReturns& returns;
    WriteTickets write_tickets;
    PrepareTickets prepare_tickets;
    FindTickets find_tickets;
};

/// All ledgers of a shop over one engine. Its health and the commits of others are left to the
/// engine, because they differ for each.
class LedgerSet : public Ledgers {
  public:
    explicit LedgerSet(const Engine& engine) : engine_(engine) {}

    UserLedger& users() override { return users_; }
    SessionLedger& sessions() override { return sessions_; }
    SecondFactorLedger& second_factors() override { return second_factors_; }
    CatalogLedger& catalog() override { return catalog_; }
    sluice::CatalogChanges& catalog_changes() override { return catalog_changes_; }
    TrailLedger& trail() override { return trail_; }
    ReceiptLedger& receipts() override { return receipts_; }
    OrderLedger& orders() override { return orders_; }
    OrderList& order_list() override { return any_orders_; }
    PaymentLedger& payments() override { return payments_; }
    SandboxLedger& sandbox() override { return sandbox_; }
    BlockLedger& blocks() override { return blocks_; }
    SettingsLedger& settings() override { return settings_; }
    StatsLedger& stats() override { return stats_; }
    WebhookLedger& webhooks() override { return webhooks_; }
    ParkedLedger& parked() override { return parked_; }
    HoldNetworkLedger& hold_networks() override { return hold_networks_; }
    BuyerListLedger& buyer_lists() override { return buyer_lists_; }
    DeliveryLedger& deliveries() override { return deliveries_; }
    ContactLedger& contacts() override { return contacts_; }
    PictureLedger& pictures() override { return pictures_; }

    std::unique_ptr<OrderIntake> open_intake(const Clock& clock, IdSource& ids,
                                             const IntakeOptions& options) override;
    std::unique_ptr<TicketLedger> open_tickets(const Clock& clock, IdSource& ids,
                                               std::function<void(Timestamp)> on_hold) override;

  private:
    TicketDesk desk(const Clock& clock, IdSource& ids) const {
        return {engine_.write_tickets, engine_.news, clock, ids};
    }

    // News in the order of the commits.
    void set_news_listener(OnNews listener, Wants wants) override {
        engine_.news.listen(std::move(listener), std::move(wants));
    }
    void set_commit_callback(std::function<void()> callback) override {
        engine_.news.listen_for_commits(std::move(callback));
    }

    const Engine engine_;
    Users users_{engine_.writer, engine_.readers};
    Sessions sessions_{engine_.writer, engine_.readers};
    SecondFactorBook second_factors_{engine_.writer, engine_.readers};
    Catalog catalog_{engine_.writer, engine_.readers, engine_.news};
    CatalogChanges catalog_changes_{engine_.readers};
    Trail trail_{engine_.writer, engine_.readers};
    Receipts receipts_{engine_.writer, engine_.readers};
    Orders orders_{engine_.writer, engine_.readers, engine_.news, engine_.find_tickets};
    AnyOrders any_orders_{engine_.readers};
    Payments payments_{engine_.writer, engine_.readers, engine_.news, engine_.returns};
    SandboxBooks sandbox_{engine_.writer, engine_.readers};
    Blocks blocks_{engine_.writer, engine_.readers};
    Settings settings_{engine_.writer, engine_.readers};
    Stats stats_{engine_.writer, engine_.readers};
    Webhooks webhooks_{engine_.writer, engine_.readers};
    Parked parked_{engine_.writer, engine_.readers};
    HoldNetworks hold_networks_{engine_.writer};
    BuyerLists buyer_lists_{engine_.writer, engine_.readers, engine_.news};
    Deliveries deliveries_{engine_.writer, engine_.readers};
    Contacts contacts_{engine_.writer, engine_.readers};
    Pictures pictures_{engine_.writer, engine_.readers};
};

}  // namespace sluice::ledgers
