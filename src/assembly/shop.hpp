#pragma once

#include "adapters/system/keys.hpp"
#include "adapters/system/shop_clock.hpp"
#include "app/accounts/password_hasher.hpp"
#include "app/catalog/catalog_follower.hpp"
#include "assembly/accounts.hpp"
#include "assembly/alert_office.hpp"
#include "assembly/broker_tier.hpp"
#include "assembly/checkout.hpp"
#include "assembly/contact_office.hpp"
#include "assembly/gatehouse.hpp"
#include "assembly/hot_tier.hpp"
#include "assembly/http_front.hpp"
#include "assembly/intake_watch.hpp"
#include "assembly/latest_catalog.hpp"
#include "assembly/money.hpp"
#include "assembly/monitoring.hpp"
#include "assembly/node_office.hpp"
#include "assembly/office.hpp"
#include "assembly/pass_office.hpp"
#include "assembly/picture_office.hpp"
#include "assembly/reload.hpp"
#include "assembly/shop_front.hpp"
#include "assembly/stream_line.hpp"
#include "assembly/upkeep.hpp"
#include "assembly/webhook_office.hpp"
#include "base/id_source.hpp"
#include "base/subscription.hpp"
#include "config/load.hpp"
#include "domain/limit_scope.hpp"
#include "observe/log.hpp"
#include "ports/random.hpp"

namespace sluice {

/// One server, put together from its assemblies, over any ledger tier and hot tier.
class Shop {
  public:
    /// Everything that it uses. All of it outlives the shop.
    struct Parts {
        const Loaded& loaded;  // the configuration and where it came from
        HttpFront& front;
        Keeper& keeper;
        LedgerTier& ledger;
        HotTier& hot;
        BrokerTier* broker;  // nullptr: this node writes its tickets itself
        PassOffice& passes;
        Catalog& catalog;
        LimitScope& limit_scope;
        const Keys& keys;
        std::string mail_password;  // for the server that mails alerts; empty: none is needed
        const SessionTokens& tokens;
        PasswordHasher& hasher;
        ShopClock& clock;
        Random& random;
        IdSource& ids;
        Log& log;
    };
    /// Fills the hot copies. May throw Outage.
    explicit Shop(const Parts& parts);

    /// Answers requests until a signal ends it.
    void run();

  private:
    ClaimLine::Parts claim_parts();
    PurchaseLine::Options line_options();
    std::unique_ptr<OrderIntake> open_intake(const IntakeOptions& options);
    Subscription subscribe_to_news();
    void bind_routes();
    void employ_workers();
    std::optional<AlertWatch::Queue> queue_to_watch() const;
    void add_metrics();
    /// Whether this server may decide that a hold is over.
    bool is_time_proven() const;
    Task<> reload_catalog();
    Task<> follow_catalog();
    /// Looks at once at what is otherwise looked at from time to time: keys, blocks, the catalog.
    void refresh();

    const Parts parts_;
    Ledgers& ledgers_;
    /// Holds from before the start wait until the time is proven; see docs/limits.md.
    const bool has_found_holds_;
    const api::Receipts receipts_;
    const TicketMarks marks_;
    Gatehouse gatehouse_;
    StreamLine streams_;
    IntakeWatch intake_watch_;
    ClusterBacklog backlog_;
    ClaimLine claims_;
    const std::unique_ptr<TicketLedger> tickets_;

  public:
    PurchaseLine line;
    Accounts accounts;
    ShopFront shop_front;

  private:
    PictureOffice pictures_;
    Checkout checkout_;
    Money money_;
    WebhookOffice webhooks_;
    ContactOffice contacts_;
    Upkeep upkeep_;
    Monitoring monitoring_;
    AlertOffice alerts_;
    Office office_;
    NodeOffice nodes_;
    CatalogFollower catalog_follower_;
    LatestCatalog latest_catalog_;
    Periodic catalog_rounds_;
    Periodic catalog_follows_;
    Reload reload_;
    const Subscription news_;  // last: it ends before those who are told the news
};

}  // namespace sluice
