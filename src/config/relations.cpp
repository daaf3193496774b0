#include "config/relations.hpp"

#include <algorithm>

#include "base/public_address.hpp"
#include "base/web_url.hpp"
#include "config/broker_url.hpp"
#include "config/hot_url.hpp"
#include "config/mail_url.hpp"

namespace sluice {
namespace {

Conflict too_large(std::string_view first, unsigned is, std::string_view second, unsigned most) {
    return {first, second,
            std::string(first) + " is " + std::to_string(is) + ", but can be at most " +
                std::string(second) + ", which is " + std::to_string(most)};
}

bool is_public(const std::string& url) {
    const auto parts = UrlParts::split(url);
    const auto at = parts ? HostAndPort::parse(parts->authority) : std::nullopt;
    return at && !Endpoint{std::string(at->host), 0}.is_loopback();
}

/// The setting by which other machines can reach this server.
struct WayIn {
    std::string_view key;
    std::string text;
};
std::optional<WayIn> find_way_in(const Config& c) {
    if (is_public(c.public_url))
        return WayIn{"public_url", "public_url is " + c.public_url + ", for everybody"};
    if (!c.listen.is_loopback())
        return WayIn{"listen", "listen is " + c.listen.text() + ", beyond this machine"};
    if (c.admin_listen && !c.admin_listen->is_loopback())
        return WayIn{"admin_listen",
                     "admin_listen is " + c.admin_listen->text() + ", beyond this machine"};
    return std::nullopt;
}

/// The sandbox for payments takes no money, and the one for messages shows the codes to everybody.
/// So customers may see them only if the configuration says so explicitly.
std::optional<Conflict> find_sandbox_in_public(const Config& c) {
    const auto way_in = find_way_in(c);
    if (!way_in) return std::nullopt;
    if (c.payments.provider == PaymentProviderName::sandbox && !c.payments.sandbox_in_public)
        return Conflict{
            "payments.provider", way_in->key,
            "payments.provider is \"sandbox\", where orders are paid without money, and " +
                way_in->text +
                ". Set payments.provider = \"none\", or payments.sandbox_in_public = true "
                "if nobody can buy anything of value here"};
    if (c.sms.provider == MessageSenderName::sandbox && !c.sms.sandbox_in_public)
        return Conflict{
            "sms.provider", way_in->key,
            "sms.provider is \"sandbox\", where everybody can read the codes to phones, and " +
                way_in->text +
                ". Set sms.provider = \"none\", or sms.sandbox_in_public = true if no account "
                "here is worth anything"};
    return std::nullopt;
}

std::optional<Conflict> find_ledger_conflict(const Config& c) {
    const auto& ledger = c.ledger;
    // A batch is made of what waits.
    if (ledger.batch > ledger.backlog)
        return too_large("ledger.batch", ledger.batch, "ledger.backlog", ledger.backlog);
    if (ledger.kind == LedgerKind::mariadb && ledger.url.empty())
        return Conflict{"ledger.kind", "ledger.url",
                        "ledger.kind is \"mariadb\", which needs ledger.url"};
    // Operators must not believe that orders are on a server while they are in a file.
    if (ledger.kind == LedgerKind::sqlite && !ledger.url.empty())
        return Conflict{"ledger.url", "ledger.kind",
                        "ledger.url is given, but ledger.kind is \"sqlite\""};
    if (!ledger.password.empty() && !ledger.password_file.empty())
        return Conflict{"ledger.password", "ledger.password_file",
                        "ledger.password and ledger.password_file are both given"};
    if (ledger.tls_cert.empty() != ledger.tls_key.empty())
        return Conflict{ledger.tls_cert.empty() ? "ledger.tls_key" : "ledger.tls_cert",
                        ledger.tls_cert.empty() ? "ledger.tls_cert" : "ledger.tls_key",
                        "ledger.tls_cert and ledger.tls_key are only of use together"};
    if (ledger.kind == LedgerKind::mariadb && c.backup.every.count() != 0)
        return Conflict{"backup.every", "ledger.kind",
                        "backup.every is for the SQLite ledger; a MariaDB server is backed up by "
                        "its own tools"};
    return std::nullopt;
}

std::optional<Conflict> find_hot_conflict(const Config& c) {
    const auto& hot = c.hot;
    if (hot.kind == HotKind::memory) {
        // Operators must not believe that several nodes share their stock while they do not.
        if (hot.url.empty()) return std::nullopt;
        return Conflict{"hot.url", "hot.kind", "hot.url is given, but hot.kind is \"memory\""};
    }
    if (hot.url.empty())
        return Conflict{"hot.kind", "hot.url", "hot.kind is \"redis\", which needs hot.url"};
    if (c.ledger.kind != LedgerKind::mariadb)
        return Conflict{"hot.kind", "ledger.kind",
                        "hot.kind is \"redis\", which several nodes share, but ledger.kind is "
                        "\"sqlite\", the file of one. Set ledger.kind = \"mariadb\", or "
                        "hot.kind = \"memory\""};
    const auto first = HotUrl::parse(hot.url.front());
    const auto is_like_first = [&](const std::string& text) {
        const auto url = HotUrl::parse(text);
        return url->database == first->database && url->is_tls == first->is_tls;
    };
    if (!std::ranges::all_of(hot.url, is_like_first))
        return Conflict{"hot.url", "hot.kind",
                        "the URLs of hot.url differ in their database, or in rediss:// for some "
                        "only; they have to be of one Redis and its replicas"};
    if (!hot.password.empty() && !hot.password_file.empty())
        return Conflict{"hot.password", "hot.password_file",
                        "hot.password and hot.password_file are both given"};
    if (!hot.user.empty() && hot.password.empty() && hot.password_file.empty())
        return Conflict{"hot.user", "hot.password_file",
                        "hot.user is given without a password; name its file with "
                        "hot.password_file, or give it as SLUICE_HOT_PASSWORD"};
    if (hot.tls_cert.empty() != hot.tls_key.empty())
        return Conflict{hot.tls_cert.empty() ? "hot.tls_key" : "hot.tls_cert",
                        hot.tls_cert.empty() ? "hot.tls_cert" : "hot.tls_key",
                        "hot.tls_cert and hot.tls_key are only of use together"};
    const bool has_tls_files = !hot.tls_ca.empty() || !hot.tls_cert.empty();
    if (has_tls_files && !first->is_tls)
        return Conflict{hot.tls_ca.empty() ? "hot.tls_cert" : "hot.tls_ca", "hot.url",
                        "files for TLS are given, but hot.url does not begin with rediss://"};
    return std::nullopt;
}

std::optional<Conflict> find_broker_secrets_conflict(const Config::Broker& broker) {
    if (!broker.password.empty() && !broker.password_file.empty())
        return Conflict{"broker.password", "broker.password_file",
                        "broker.password and broker.password_file are both given"};
    if (broker.password.empty() && broker.password_file.empty())
        return Conflict{"broker.kind", "broker.password_file",
                        "broker.kind is \"rabbitmq\", which needs the password of broker.user; "
                        "name its file with broker.password_file, or give it as "
                        "SLUICE_BROKER_PASSWORD"};
    if (broker.tls_cert.empty() != broker.tls_key.empty())
        return Conflict{broker.tls_cert.empty() ? "broker.tls_key" : "broker.tls_cert",
                        broker.tls_cert.empty() ? "broker.tls_cert" : "broker.tls_key",
                        "broker.tls_cert and broker.tls_key are only of use together"};
    const bool has_tls_files = !broker.tls_ca.empty() || !broker.tls_cert.empty();
    if (has_tls_files && !BrokerUrl::parse(broker.urls.front())->is_tls)
        return Conflict{broker.tls_ca.empty() ? "broker.tls_cert" : "broker.tls_ca", "broker.urls",
                        "files for TLS are given, but broker.urls does not begin with amqps://"};
    return std::nullopt;
}

std::optional<Conflict> find_broker_conflict(const Config& c) {
    const auto& broker = c.broker;
    if (broker.kind == BrokerKind::none) {
        // Operators must not believe that tickets go through a broker while they do not.
        if (broker.urls.empty()) return std::nullopt;
        return Conflict{"broker.urls", "broker.kind",
                        "broker.urls is given, but broker.kind is \"none\""};
    }
    if (c.ledger.kind != LedgerKind::mariadb)
        return Conflict{"broker.kind", "ledger.kind",
                        "broker.kind is \"rabbitmq\", which carries tickets between nodes, but "
                        "ledger.kind is \"sqlite\", the file of one. Set ledger.kind = "
                        "\"mariadb\", or broker.kind = \"none\""};
    if (c.hot.kind != HotKind::redis)
        return Conflict{"broker.kind", "hot.kind",
                        "broker.kind is \"rabbitmq\", which carries tickets between nodes, but "
                        "hot.kind is \"memory\", of one. Set hot.kind = \"redis\", or "
                        "broker.kind = \"none\""};
    if (broker.urls.empty())
        return Conflict{"broker.kind", "broker.urls",
                        "broker.kind is \"rabbitmq\", which needs broker.urls"};
    const bool is_tls = BrokerUrl::parse(broker.urls.front())->is_tls;
    if (!std::ranges::all_of(broker.urls, [&](const std::string& text) {
            return BrokerUrl::parse(text)->is_tls == is_tls;
        }))
        return Conflict{"broker.urls", "broker.kind",
                        "some of broker.urls begin with amqps:// and some do not; they have to be "
                        "the nodes of one broker"};
    return find_broker_secrets_conflict(broker);
}

/// A node without all roles needs other nodes, which share stock and ledger with it.
std::optional<Conflict> find_role_conflict(const Config& c) {
    if (c.roles.has_all() || c.hot.kind == HotKind::redis) return std::nullopt;
    return Conflict{"roles", "hot.kind",
                    "roles leaves work to other nodes, but hot.kind is \"memory\", so there are "
                    "none. Set hot.kind = \"redis\", or leave roles out"};
}

std::optional<Conflict> find_mail_conflict(const Config& c) {
    const auto& alerts = c.alerts;
    const bool has_password = !alerts.mail_password.empty() || !alerts.mail_password_file.empty();
    if (alerts.mail_url.empty()) {
        // Operators must not believe that mails are sent while none are.
        if (alerts.mail_to.empty()) return std::nullopt;
        return Conflict{"alerts.mail_to", "alerts.mail_url",
                        "alerts.mail_to is given without alerts.mail_url"};
    }
    if (alerts.mail_from.empty() || alerts.mail_to.empty())
        return Conflict{"alerts.mail_url",
                        alerts.mail_from.empty() ? "alerts.mail_from" : "alerts.mail_to",
                        "alerts.mail_url needs alerts.mail_from and alerts.mail_to"};
    if (!alerts.mail_password.empty() && !alerts.mail_password_file.empty())
        return Conflict{"alerts.mail_password", "alerts.mail_password_file",
                        "alerts.mail_password and alerts.mail_password_file are both given"};
    if (alerts.mail_user.empty() == has_password)
        return Conflict{has_password && !alerts.mail_password.empty() ? "alerts.mail_password"
                        : has_password                                ? "alerts.mail_password_file"
                                                                      : "alerts.mail_user",
                        has_password ? "alerts.mail_user" : "alerts.mail_password_file",
                        "alerts.mail_user and its password are only of use together; name the "
                        "password's file with alerts.mail_password_file, or give it as "
                        "SLUICE_ALERTS_MAIL_PASSWORD"};
    const auto address = Address::parse(MailUrl::parse(alerts.mail_url)->host);
    if (address && !is_reachable(*address, c.webhooks.allow_private))
        return Conflict{"alerts.mail_url", "webhooks.allow_private",
                        "alerts.mail_url leads to an address that is not public, and that "
                        "webhooks.allow_private does not have"};
    return std::nullopt;
}

/// Addresses for alerts are checked like those of webhooks. A name is looked up only when there is
/// an alert.
std::optional<Conflict> find_alert_conflict(const Config& c) {
    const auto& alerts = c.alerts;
    if (alerts.webhook_url.empty() != alerts.webhook_secret.empty())
        return Conflict{alerts.webhook_url.empty() ? "alerts.webhook_secret" : "alerts.webhook_url",
                        alerts.webhook_url.empty() ? "alerts.webhook_url" : "alerts.webhook_secret",
                        "alerts.webhook_url and alerts.webhook_secret are only of use together"};
    if (alerts.dingtalk_url.empty() && !alerts.dingtalk_secret.empty())
        return Conflict{"alerts.dingtalk_secret", "alerts.dingtalk_url",
                        "alerts.dingtalk_secret is given without alerts.dingtalk_url"};
    const std::pair<std::string_view, const std::string&> urls[] = {
        {"alerts.webhook_url", alerts.webhook_url},
        {"alerts.wecom_url", alerts.wecom_url},
        {"alerts.dingtalk_url", alerts.dingtalk_url},
        {"alerts.slack_url", alerts.slack_url}};
    for (const auto& [key, text] : urls) {
        const auto url = text.empty() ? std::nullopt : WebUrl::parse(text);
        const auto address = url ? Address::parse(url->host) : std::nullopt;
        if (address && !is_reachable(*address, c.webhooks.allow_private))
            return Conflict{key, "webhooks.allow_private",
                            std::string(key) +
                                " leads to an address that is not public, and that "
                                "webhooks.allow_private does not have"};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Conflict> find_conflict(const Config& c) {
    if (auto conflict = find_sandbox_in_public(c)) return conflict;
    if (c.admin_listen && *c.admin_listen == c.listen && c.listen.port != 0)
        return Conflict{"admin_listen", "listen",
                        "admin_listen and listen are both " + c.listen.text()};
    if (auto conflict = find_ledger_conflict(c)) return conflict;
    if (auto conflict = find_hot_conflict(c)) return conflict;
    if (auto conflict = find_broker_conflict(c)) return conflict;
    if (auto conflict = find_role_conflict(c)) return conflict;
    if (auto conflict = find_alert_conflict(c)) return conflict;
    if (auto conflict = find_mail_conflict(c)) return conflict;
    if (c.accounts.hash_threads > c.accounts.hash_backlog)
        return too_large("accounts.hash_threads", c.accounts.hash_threads, "accounts.hash_backlog",
                         c.accounts.hash_backlog);
    if (c.accounts.verify_phone && c.sms.provider == MessageSenderName::none)
        return Conflict{"accounts.verify_phone", "sms.provider",
                        "accounts.verify_phone needs somebody who sends messages, but sms.provider "
                        "is none"};
    if (c.sms.provider == MessageSenderName::http && (c.sms.url.empty() || c.sms.secret.empty()))
        return Conflict{"sms.provider", c.sms.url.empty() ? "sms.url" : "sms.secret",
                        "sms.provider is http, which needs sms.url and sms.secret"};
    if (c.challenge.draw_threads > c.challenge.draw_backlog)
        return too_large("challenge.draw_threads", c.challenge.draw_threads,
                         "challenge.draw_backlog", c.challenge.draw_backlog);
    // A watcher is told at once about each sale, so as many messages may wait as sales are watched.
    if (c.streams.watched > c.streams.queue)
        return too_large("streams.watched", c.streams.watched, "streams.queue", c.streams.queue);
    for (const auto& rate : find_rate_conflicts(c.limits.rates))
        return Conflict{rate.burst, rate.rate,
                        std::string(rate.burst) + " is " + std::to_string(rate.burst_is) +
                            ", but can be at most an hour of " + std::string(rate.rate) +
                            ", which is " + std::to_string(rate.burst_at_most)};
    return std::nullopt;
}

}  // namespace sluice
