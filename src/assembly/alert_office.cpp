#include "assembly/alert_office.hpp"

#include <algorithm>

#include <prometheus/metric_family.h>

#include "adapters/web/alert_channels.hpp"
#include "base/web_url.hpp"
#include "config/mail_url.hpp"

namespace sluice {
namespace {

constexpr auto kLongestPauseOfAlerts = AlertCourier::kLongestPause;

bool has_label(const prometheus::ClientMetric& metric, std::string_view name,
               std::string_view value) {
    return std::ranges::any_of(
        metric.label, [&](const auto& each) { return each.name == name && each.value == value; });
}

/// The sum of the metrics of the first family that match.
template <class Counts>
std::uint64_t sum_of(const prometheus::Collectable& metrics, Counts counts) {
    const auto families = metrics.Collect();  // held here, since the loop below refers to it
    double sum = 0;
    for (const auto& metric : families.front().metric)
        if (counts(metric)) sum += metric.counter.value;
    return static_cast<std::uint64_t>(sum);
}

/// Not counted: a paused sale answers 503 because an operator wants it, and a red /readyz is an
/// alert of its own.
AlertWatch::Answers count_answers(const HttpFront& front) {
    const auto is_probe = [](const auto& metric) { return has_label(metric, "route", "readyz"); };
    const auto paused = sum_of(front.refusal_metrics, [](const auto& metric) {
        return has_label(metric, "code", "paused");
    });
    const auto failed = sum_of(front.request_metrics, [&](const auto& metric) {
        return has_label(metric, "status", "5xx") && !is_probe(metric);
    });
    const auto all =
        sum_of(front.request_metrics, [&](const auto& metric) { return !is_probe(metric); });
    return {.all = all, .failed = failed - std::min(failed, paused)};
}

/// Left out: a server that drains does so because somebody stops it, and missing payments are a
/// matter of its configuration. The clock has an alert of its own.
std::vector<AlertWatch::Part> parts_to_watch(const std::vector<api::PartHealth>& parts) {
    std::vector<AlertWatch::Part> watched;
    for (const auto& part : parts)
        if (part.name != "server" && part.name != "payments" && part.name != "clock")
            watched.push_back({part.name, part.ready, text_of(part.notices)});
    return watched;
}

std::string doubt_of_clock(const std::vector<api::PartHealth>& parts) {
    const auto clock = std::ranges::find(parts, "clock", &api::PartHealth::name);
    return clock == parts.end() ? std::string() : text_of(clock->notices);
}

/// The rest of the address may be a key.
std::string host_of(const std::string& text) {
    const auto url = WebUrl::parse(text).value();
    return (url.secure ? "https://" : "http://") + url.authority() + "/…";
}

/// A password is sent within TLS only, unless the connection stays on this machine.
web::MailAlerts::Tls tls_of(const MailUrl& url, const std::string& user) {
    if (url.is_tls) return web::MailAlerts::Tls::from_start;
    return url.is_local() && user.empty() ? web::MailAlerts::Tls::none
                                          : web::MailAlerts::Tls::starttls;
}

AlertDesk::Options desk_options(const Config& config, const HttpFront& front) {
    const auto node = front.server.shop_url();
    const bool is_alone = config.hot.kind == HotKind::memory;
    AlertDesk::Options options;
    options.from = config.public_url.empty() ? node
                   : is_alone                ? config.public_url
                                             : config.public_url + " · " + node;
    options.language = config.alerts.language;
    options.quiet = std::chrono::minutes{config.alerts.quiet_minutes};
    return options;
}

}  // namespace

AlertOffice::Line::Line(const Parts& parts, std::string name, std::string to, AlertChannel& channel)
    : box(name, std::move(to)),
      courier(box, channel, parts.clock, parts.log),
      rounds(
          "alert_courier_" + name, kLongestPauseOfAlerts, [this] { return courier.send_due(); },
          parts.log) {
    box.on_put([this] { rounds.wake(); });
}

AlertOffice::Line::Line(const Parts& parts, std::string name, std::string to,
                        std::unique_ptr<AlertChannel> channel)
    : Line(parts, std::move(name), std::move(to), *channel) {
    kept = std::move(channel);
}

AlertOffice::AlertOffice(const Parts& parts)
    : loop_(parts.loop),
      poster_(make_poster(parts)),
      mail_(make_mail(parts)),
      lines_(make_lines(parts)),
      desk_(desk_options(parts.config, parts.front), boxes(), parts.is_on_duty, parts.clock),
      auditor_(parts.ledger.auditor(),
               [this](const AuditReport::Check& check) {
                   desk_.note(AlertKind::audit_failed, check.name, check.detail);
               }),
      watch_(desk_, parts.catalog, sources_of(parts), parts.config.alerts.errors_percent,
             parts.clock),
      api_(desk_) {}

std::unique_ptr<web::WebPoster> AlertOffice::make_poster(const Parts& parts) {
    const auto& alerts = parts.config.alerts;
    if (alerts.webhook_url.empty() && alerts.wecom_url.empty() && alerts.dingtalk_url.empty() &&
        alerts.slack_url.empty())
        return nullptr;
    web::WebPoster::Options options;
    options.allowed = parts.config.webhooks.allow_private;
    options.authorities = parts.config.webhooks.ca_file;
    options.patience = std::chrono::seconds{alerts.timeout_seconds};
    options.resolvers = 2;
    return std::make_unique<web::WebPoster>(std::move(options), parts.loop);
}

std::list<AlertOffice::Line> AlertOffice::make_lines(const Parts& parts) {
    const auto& alerts = parts.config.alerts;
    const auto& outside = parts.clock.outside();
    std::list<Line> lines;
    if (const auto& url = alerts.webhook_url; !url.empty())
        lines.emplace_back(
            parts, "webhook", host_of(url),
            std::make_unique<web::WebhookAlerts>(*poster_, url, alerts.webhook_secret, outside));
    if (const auto& url = alerts.wecom_url; !url.empty())
        lines.emplace_back(parts, "wecom", host_of(url),
                           std::make_unique<web::WecomAlerts>(*poster_, url));
    if (const auto& url = alerts.dingtalk_url; !url.empty())
        lines.emplace_back(
            parts, "dingtalk", host_of(url),
            std::make_unique<web::DingtalkAlerts>(*poster_, url, alerts.dingtalk_secret, outside));
    if (const auto& url = alerts.slack_url; !url.empty())
        lines.emplace_back(parts, "slack", host_of(url),
                           std::make_unique<web::SlackAlerts>(*poster_, url));
    if (mail_) {
        std::string to;
        for (const auto& each : alerts.mail_to) to += (to.empty() ? "" : ", ") + each;
        lines.emplace_back(parts, "mail", std::move(to), *mail_);
    }
    return lines;
}

std::unique_ptr<web::MailAlerts> AlertOffice::make_mail(const Parts& parts) {
    const auto& alerts = parts.config.alerts;
    if (alerts.mail_url.empty()) return nullptr;
    const auto url = MailUrl::parse(alerts.mail_url).value();
    web::MailAlerts::Options options;
    options.host = url.host;
    options.port = url.port;
    options.tls = tls_of(url, alerts.mail_user);
    options.user = alerts.mail_user;
    options.password = parts.mail_password;
    options.from = alerts.mail_from;
    options.to = alerts.mail_to;
    options.allowed = parts.config.webhooks.allow_private;
    options.authorities = parts.config.webhooks.ca_file;
    options.patience = std::chrono::seconds{alerts.timeout_seconds};
    return std::make_unique<web::MailAlerts>(std::move(options), parts.loop);
}

std::vector<AlertBox*> AlertOffice::boxes() {
    std::vector<AlertBox*> boxes;
    for (auto& line : lines_) boxes.push_back(&line.box);
    return boxes;
}

AlertWatch::Sources AlertOffice::sources_of(const Parts& parts) {
    AlertWatch::Sources sources;
    sources.parts = [check_up = parts.check_up] { return parts_to_watch(check_up()); };
    sources.clock = [check_up = parts.check_up] { return doubt_of_clock(check_up()); };
    sources.answers = [&front = parts.front] { return count_answers(front); };
    sources.drifts = [&hot_copies = parts.hot_copies] { return hot_copies.drifts(); };
    sources.given_up = [&webhooks = parts.webhooks] { return webhooks.given_up(); };
    sources.queue = parts.queue;
    sources.backups = [&ledger = parts.ledger]() -> std::optional<AlertWatch::Backups> {
        const auto backups = ledger.backups();
        if (!backups) return std::nullopt;
        return AlertWatch::Backups{backups->every, backups->newest};
    };
    sources.guessed_factors = [&accounts = parts.accounts] {
        return accounts.take_guessed_factors();
    };
    return sources;
}

void AlertOffice::bind(const Bind& bind) {
    bind("list_alerts", to(api_, &api::AdminAlerts::list));
    bind("test_alert_channel", to(api_, &api::AdminAlerts::test));
}

void AlertOffice::employ(Keeper& keeper) {
    keeper.employ("alert_watch", AlertWatch::kPace, [this] { return watch_.look(); });
    for (auto& line : lines_) keeper.employ(line.rounds);
}

void AlertOffice::add_metrics(MetricsPage& metrics) const {
    for (const auto& line : lines_) {
        const auto* const box = &line.box;
        metrics.add_gauge("sluice_alerts_waiting", "Alerts that wait to be told, by channel.",
                          [box] { return static_cast<double>(box->figures().waiting); },
                          {{"channel", box->name()}});
        metrics.add_counter("sluice_alerts_total",
                            "Alerts and tests, by channel and what came of them.",
                            [box] { return static_cast<double>(box->figures().sent); },
                            {{"channel", box->name()}, {"outcome", "sent"}});
        metrics.add_counter("sluice_alerts_total",
                            "Alerts and tests, by channel and what came of them.",
                            [box] { return static_cast<double>(box->figures().failed); },
                            {{"channel", box->name()}, {"outcome", "failed"}});
    }
}

void AlertOffice::stop() {
    for (auto& line : lines_) line.box.close();
    loop_.post([this] {
        if (poster_) poster_->hang_up();
        if (mail_) mail_->hang_up();
    });
}

}  // namespace sluice
