#pragma once

#include <list>
#include <memory>

#include "adapters/system/shop_clock.hpp"
#include "adapters/web/mail_alerts.hpp"
#include "adapters/web/web_poster.hpp"
#include "api/office/admin_alerts.hpp"
#include "api/office/machine_room.hpp"
#include "app/alerts/watched_auditor.hpp"
#include "app/catalog/catalog.hpp"
#include "assembly/accounts.hpp"
#include "assembly/binding.hpp"
#include "assembly/http_front.hpp"
#include "assembly/keeper.hpp"
#include "assembly/ledger_tier.hpp"
#include "assembly/webhook_office.hpp"
#include "config/config.hpp"
#include "workers/alert_courier.hpp"
#include "workers/alert_watch.hpp"
#include "workers/hot_copy_keeper.hpp"

namespace sluice {

/// Tells operators through the configured channels what is wrong.
class AlertOffice {
  public:
    struct Parts {
        const Config& config;
        std::string mail_password;
        LedgerTier& ledger;
        const Catalog& catalog;
        const HttpFront& front;
        const HotCopyKeeper& hot_copies;
        const WebhookOffice& webhooks;
        Accounts& accounts;
        std::function<std::vector<api::PartHealth>()> check_up;
        std::function<std::optional<AlertWatch::Queue>()> queue;
        std::function<bool()> is_on_duty;  // whether this node tells what all nodes see
        AsioLoop& loop;                    // of the keeper
        const ShopClock& clock;
        Log& log;
    };
    /// Throws std::runtime_error when the configured authorities cannot be read.
    explicit AlertOffice(const Parts& parts);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;
    /// Ends what is under way. To be called before the workers end.
    void stop();

    /// The ledger's auditor; its failed checks become alerts.
    Auditor& auditor() { return auditor_; }

  private:
    /// One channel with everything that leads to it.
    struct Line {
        Line(const Parts& parts, std::string name, std::string to, AlertChannel& channel);
        /// Keeps the channel.
        Line(const Parts& parts, std::string name, std::string to,
             std::unique_ptr<AlertChannel> channel);

        AlertBox box;
        std::unique_ptr<AlertChannel> kept;
        AlertCourier courier;
        Periodic rounds;
    };

    static std::unique_ptr<web::WebPoster> make_poster(const Parts& parts);
    static std::unique_ptr<web::MailAlerts> make_mail(const Parts& parts);
    std::list<Line> make_lines(const Parts& parts);
    std::vector<AlertBox*> boxes();
    AlertWatch::Sources sources_of(const Parts& parts);

    AsioLoop& loop_;
    const std::unique_ptr<web::WebPoster> poster_;  // nullptr: no channel needs it
    const std::unique_ptr<web::MailAlerts> mail_;   // nullptr: no mails are configured
    std::list<Line> lines_;
    AlertDesk desk_;
    WatchedAuditor auditor_;
    AlertWatch watch_;
    api::AdminAlerts api_;
};

}  // namespace sluice
