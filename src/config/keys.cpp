#include "config/keys.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "config/broker_url.hpp"
#include "config/hot_url.hpp"
#include "config/ledger_url.hpp"
#include "config/mail_url.hpp"
#include "domain/phone.hpp"

namespace sluice {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kFormats{"text", "json"};
constexpr std::array<std::string_view, 2> kProviders{"none", "sandbox"};
constexpr std::array<std::string_view, 3> kSenders{"none", "sandbox", "http"};
constexpr std::array<std::string_view, 2> kSecondFactors{"optional", "required"};
constexpr std::array<std::string_view, 2> kLedgerKinds{"sqlite", "mariadb"};
constexpr std::array<std::string_view, 3> kLedgerTls{"off", "on", "checked"};
constexpr std::array<std::string_view, 2> kHotKinds{"memory", "redis"};
constexpr std::array<std::string_view, 2> kBrokerKinds{"none", "rabbitmq"};
constexpr std::array<std::string_view, 2> kLanguages{"en", "zh"};
constexpr std::array<std::string_view, 3> kRoles{"edge", "writer", "keeper"};
constexpr std::size_t kLongestToken = 256;

bool is_clean(std::string_view text) {
    return std::ranges::none_of(text, is_control);
}

bool set_listen(Config& c, const std::string& text) {
    const auto endpoint = Endpoint::parse(text);
    if (endpoint) c.listen = *endpoint;
    return endpoint.has_value();
}

bool set_admin_listen(Config& c, const std::string& text) {
    c.admin_listen = Endpoint::parse(text);
    return c.admin_listen || text.empty();
}

bool set_data(Config& c, const std::string& text) {
    c.data = text;
    return !text.empty() && is_clean(text);
}

bool set_web_root(Config& c, const std::string& text) {
    c.web_root = text;
    return is_clean(text);
}

template <auto section, auto field>
bool set_file(Config& c, const std::string& text) {
    c.*section.*field = text;
    return is_clean(text);
}

template <auto section, auto field>
bool set_password(Config& c, const std::string& text) {
    c.*section.*field = text;
    return text.size() <= 256 && is_clean(text);
}

bool set_ledger_url(Config& c, const std::string& text) {
    c.ledger.url = text;
    return text.empty() || LedgerUrl::parse(text);
}

bool set_ledger_user(Config& c, const std::string& text) {
    c.ledger.user = text;
    return !text.empty() && text.size() <= 80 && is_clean(text);
}

bool set_hot_user(Config& c, const std::string& text) {
    c.hot.user = text;
    return text.size() <= 80 && is_clean(text);
}

/// Braces would make a hash tag of the prefix, and the keys of a sale have a hash tag of their own.
bool set_hot_prefix(Config& c, const std::string& text) {
    c.hot.prefix = text;
    return !text.empty() && text.size() <= 64 && is_visible_ascii(text) &&
           text.find_first_of("{}*?[]\\") == text.npos;
}

bool set_broker_user(Config& c, const std::string& text) {
    c.broker.user = text;
    return !text.empty() && text.size() <= 80 && is_clean(text);
}

bool set_virtual_host(Config& c, const std::string& text) {
    c.broker.virtual_host = text;
    return !text.empty() && text.size() <= 255 && is_clean(text);
}

/// The broker keeps names that begin with amq. for itself. Ours are this one and two longer ones.
bool set_queue(Config& c, const std::string& text) {
    c.broker.queue = text;
    return !text.empty() && text.size() <= 200 && is_visible_ascii(text) &&
           !text.starts_with("amq.");
}

void set_roles(Config& c, const std::vector<std::size_t>& places) {
    const auto has = [&](std::size_t place) {
        return std::ranges::find(places, place) != places.end();
    };
    c.roles = {.edge = has(0), .writer = has(1), .keeper = has(2)};
}

bool set_public_url(Config& c, const std::string& text) {
    c.public_url = text;
    return text.empty() || is_web_address(text);
}

bool set_legacy_fixed_salt(Config& c, const std::string& text) {
    c.accounts.legacy_fixed_salt = text;
    return text.size() <= 256;
}

bool set_country(Config& c, const std::string& text) {
    c.accounts.country = text;
    return text.empty() || find_country(text);
}

bool is_sms_country(std::string_view text) {
    return text == kAllCountries || find_country(text);
}

/// https, or an address written as a number: a gateway in the same house.
bool set_sms_url(Config& c, const std::string& text) {
    c.sms.url = text;
    if (text.empty()) return true;
    const auto url = WebUrl::parse(text);
    return url && (url->secure || Address::parse(url->host));
}

bool set_sms_secret(Config& c, const std::string& text) {
    c.sms.secret = text;
    return text.empty() || (text.size() >= kShortestSecret && is_clean(text));
}

bool set_sms_body(Config& c, const std::string& text) {
    c.sms.body = text;
    return text.size() <= 4096 && text.contains("{phone}") &&
           (text.contains("{code}") || text.contains("{text}"));
}

/// 90s, 30m, 6h or 1d; off means never.
std::optional<std::chrono::seconds> parse_length(std::string_view text) {
    using namespace std::chrono;
    if (text == "off") return 0s;
    constexpr std::pair<char, seconds> units[] = {
        {'s', 1s}, {'m', 1min}, {'h', 1h}, {'d', days{1}}};
    unsigned count = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || count == 0 || count > 10'000 || end - rest != 1)
        return std::nullopt;
    for (const auto& [letter, unit] : units)
        if (*rest == letter) return count * unit;
    return std::nullopt;
}

bool set_backup_every(Config& c, const std::string& text) {
    const auto length = parse_length(text);
    if (length) c.backup.every = *length;
    return length && *length <= std::chrono::days{365};
}

/// Only characters that a request header can carry.
bool set_machine_room_token(Config& c, const std::string& text) {
    c.machine_room.token = text;
    return text.empty() || (text.size() >= kShortestSecret && text.size() <= kLongestToken &&
                            is_visible_ascii(text));
}

/// https, or this machine by its numeric address.
template <auto field>
bool set_alert_url(Config& c, const std::string& text) {
    c.alerts.*field = text;
    if (text.empty()) return true;
    const auto url = WebUrl::parse(text);
    const auto address = url ? Address::parse(url->host) : std::nullopt;
    return url && (url->secure || (address && is_loopback(*address)));
}

bool set_alert_secret(Config& c, const std::string& text) {
    c.alerts.webhook_secret = text;
    return text.empty() || (text.size() >= kShortestSecret && is_clean(text));
}

/// As the robot's page shows it.
bool set_dingtalk_secret(Config& c, const std::string& text) {
    c.alerts.dingtalk_secret = text;
    return text.size() <= 256 && is_clean(text);
}

bool set_mail_url(Config& c, const std::string& text) {
    c.alerts.mail_url = text;
    return text.empty() || MailUrl::parse(text);
}

bool set_mail_user(Config& c, const std::string& text) {
    c.alerts.mail_user = text;
    return text.size() <= 256 && is_clean(text);
}

bool set_mail_from(Config& c, const std::string& text) {
    c.alerts.mail_from = text;
    return text.empty() || is_mail_address(text);
}

constexpr std::string_view kEndpoint = "host:port, such as 127.0.0.1:8080 or [::1]:8080";
constexpr std::string_view kHotUrls =
    "redis://host[:port][/db], rediss://host[:port][/db] or unix:///path[?db=N], without a user or "
    "a password";
constexpr std::string_view kBrokerUrls =
    "amqp://host[:port] or amqps://host[:port], without a user or a password";
constexpr std::string_view kAlertUrl = "https://host[:port]/path, or http:// to 127.0.0.1 or [::1]";
constexpr unsigned kMiB = 1024 * 1024;

bool is_hot_url(std::string_view text) {
    return HotUrl::parse(text).has_value();
}

bool is_broker_url(std::string_view text) {
    return BrokerUrl::parse(text).has_value();
}

/// A rate limit has its name and range in the domain, since operators set it too.
template <std::size_t place>
constexpr Key rate_key() {
    constexpr const RateSetting& setting = kRateSettings[place];
    return {setting.name, WholeNumber{setting.least, setting.most, [](Config& c) -> unsigned& {
                                          return kRateSettings[place].field(c.limits.rates);
                                      }}};
}

// clang-format off
constexpr Key kKeys[] = {
    {"listen", Text{kEndpoint, set_listen}},
    {"admin_listen", Text{kEndpoint, set_admin_listen}},
    {"data", Text{"a folder", set_data}},
    {"threads", WholeNumber{0, 256, [](Config& c) -> unsigned& { return c.threads; }}},
    {"roles", Words{kRoles, set_roles}},
    {"public_url", Text{"http(s)://host or http(s)://host:port, without a path", set_public_url}},
    {"web_root", Text{"a folder", set_web_root}},

    {"http.accept_backlog", WholeNumber{1, 65535, [](Config& c) -> unsigned& { return c.http.accept_backlog; }}},
    {"http.max_connections", WholeNumber{1, 1'000'000, [](Config& c) -> unsigned& { return c.http.max_connections; }}},
    {"http.connections_per_network", WholeNumber{0, 1'000'000, [](Config& c) -> unsigned& { return c.http.connections_per_network; }}},
    {"http.admin_connections", WholeNumber{1, 65536, [](Config& c) -> unsigned& { return c.http.admin_connections; }}},
    {"http.keep_alive_seconds", WholeNumber{1, 3600, [](Config& c) -> unsigned& { return c.http.keep_alive_seconds; }}},
    {"http.keep_alive_requests", WholeNumber{1, 1'000'000'000, [](Config& c) -> unsigned& { return c.http.keep_alive_requests; }}},
    {"http.header_bytes", WholeNumber{1024, 65536, [](Config& c) -> unsigned& { return c.http.header_bytes; }}},
    {"http.header_fields", WholeNumber{8, 1000, [](Config& c) -> unsigned& { return c.http.header_fields; }}},
    {"http.body_bytes", WholeNumber{1024, 16 * kMiB, [](Config& c) -> unsigned& { return c.http.body_bytes; }}},
    {"http.header_seconds", WholeNumber{1, 300, [](Config& c) -> unsigned& { return c.http.header_seconds; }}},
    {"http.body_seconds", WholeNumber{1, 3600, [](Config& c) -> unsigned& { return c.http.body_seconds; }}},
    {"http.write_seconds", WholeNumber{1, 3600, [](Config& c) -> unsigned& { return c.http.write_seconds; }}},
    {"http.drain_seconds", WholeNumber{0, 3600, [](Config& c) -> unsigned& { return c.http.drain_seconds; }}},
    {"http.trusted_proxies", Networks{[](Config& c) -> std::vector<Network>& { return c.http.trusted_proxies; }}},
    {"http.cors_origins", Origins{[](Config& c) -> std::vector<std::string>& { return c.http.cors_origins; }}},

    {"clock.patience_seconds", WholeNumber{1, 3600, [](Config& c) -> unsigned& { return c.clock.patience_seconds; }}},

    {"limits.enabled", Switch{[](Config& c) -> bool& { return c.limits.enabled; }}},
    {"limits.exempt", Networks{[](Config& c) -> std::vector<Network>& { return c.limits.exempt; }}},
    rate_key<0>(), rate_key<1>(), rate_key<2>(), rate_key<3>(), rate_key<4>(), rate_key<5>(),
    rate_key<6>(), rate_key<7>(), rate_key<8>(), rate_key<9>(), rate_key<10>(), rate_key<11>(),
    rate_key<12>(), rate_key<13>(), rate_key<14>(), rate_key<15>(), rate_key<16>(), rate_key<17>(),

    {"log.level", Choice{kLevels, [](Config& c, std::size_t i) { c.log.level = static_cast<LogLevel>(i); }}},
    {"log.format", Choice{kFormats, [](Config& c, std::size_t i) { c.log.format = static_cast<LogFormat>(i); }}},

    {"accounts.session_minutes", WholeNumber{1, 30 * 24 * 60, [](Config& c) -> unsigned& { return c.accounts.session_minutes; }}},
    {"accounts.session_days", WholeNumber{1, 365, [](Config& c) -> unsigned& { return c.accounts.session_days; }}},
    {"accounts.hash_threads", WholeNumber{1, 64, [](Config& c) -> unsigned& { return c.accounts.hash_threads; }}},
    {"accounts.hash_backlog", WholeNumber{1, 65536, [](Config& c) -> unsigned& { return c.accounts.hash_backlog; }}},
    {"accounts.legacy_fixed_salt", Text{"a text of at most 256 bytes", set_legacy_fixed_salt}, true},

    {"accounts.country", Text{"the two letters of a country that we know the phones of, such as CN", set_country}},
    {"accounts.verify_phone", Switch{[](Config& c) -> bool& { return c.accounts.verify_phone; }}},
    // The rate limiter counts in microseconds, and holds at most one hour between two.
    {"accounts.new_per_network", WholeNumber{50, 1'000'000, [](Config& c) -> unsigned& { return c.accounts.new_per_network; }}},
    {"accounts.second_factor", Choice{kSecondFactors, [](Config& c, std::size_t i) { c.accounts.second_factor = static_cast<SecondFactorRule>(i); }}},

    {"sms.provider", Choice{kSenders, [](Config& c, std::size_t i) { c.sms.provider = static_cast<MessageSenderName>(i); }}},
    {"sms.sandbox_in_public", Switch{[](Config& c) -> bool& { return c.sms.sandbox_in_public; }}},
    {"sms.url", Text{"https://host[:port]/path, or http:// with a numeric address", set_sms_url}},
    {"sms.secret", Text{"a secret of at least 16 bytes", set_sms_secret}, true},
    {"sms.body", Text{"a text of at most 4096 bytes with {phone}, and {code} or {text}", set_sms_body}},
    {"sms.countries", Urls{"all, or the two letters of a country that we know the phones of, such as CN", is_sms_country, [](Config& c) -> std::vector<std::string>& { return c.sms.countries; }, "a country", "countries"}},
    {"sms.per_day", WholeNumber{1, 100'000'000, [](Config& c) -> unsigned& { return c.sms.per_day; }}},

    {"challenge.pow_bits", WholeNumber{8, 28, [](Config& c) -> unsigned& { return c.challenge.pow_bits; }}},
    {"challenge.draw_threads", WholeNumber{1, 64, [](Config& c) -> unsigned& { return c.challenge.draw_threads; }}},
    {"challenge.draw_backlog", WholeNumber{1, 65536, [](Config& c) -> unsigned& { return c.challenge.draw_backlog; }}},

    {"ledger.batch", WholeNumber{1, 8192, [](Config& c) -> unsigned& { return c.ledger.batch; }}},
    {"ledger.backlog", WholeNumber{Config::Ledger::kLeastBacklog, kMiB, [](Config& c) -> unsigned& { return c.ledger.backlog; }}},
    {"ledger.readers", WholeNumber{1, 64, [](Config& c) -> unsigned& { return c.ledger.readers; }}},
    {"ledger.kind", Choice{kLedgerKinds, [](Config& c, std::size_t i) { c.ledger.kind = static_cast<LedgerKind>(i); }}},
    {"ledger.url", Text{"mariadb://host[:port]/database, or mariadb://localhost/database?socket=/path", set_ledger_url}},
    {"ledger.user", Text{"a name of at most 80 bytes", set_ledger_user}},
    {"ledger.password", Text{"a password of at most 256 bytes", set_password<&Config::ledger, &Config::Ledger::password>}, true, true},
    {"ledger.password_file", Text{"a file", set_file<&Config::ledger, &Config::Ledger::password_file>}},
    {"ledger.tls", Choice{kLedgerTls, [](Config& c, std::size_t i) { c.ledger.tls = static_cast<LedgerTls>(i); }}},
    {"ledger.tls_ca", Text{"a file", set_file<&Config::ledger, &Config::Ledger::tls_ca>}},
    {"ledger.tls_cert", Text{"a file", set_file<&Config::ledger, &Config::Ledger::tls_cert>}},
    {"ledger.tls_key", Text{"a file", set_file<&Config::ledger, &Config::Ledger::tls_key>}},
    {"ledger.writers", WholeNumber{1, 16, [](Config& c) -> unsigned& { return c.ledger.writers; }}},

    {"hot.kind", Choice{kHotKinds, [](Config& c, std::size_t i) { c.hot.kind = static_cast<HotKind>(i); }}},
    {"hot.url", Urls{kHotUrls, is_hot_url, [](Config& c) -> std::vector<std::string>& { return c.hot.url; }}},
    {"hot.user", Text{"a name of at most 80 bytes", set_hot_user}},
    {"hot.password", Text{"a password of at most 256 bytes", set_password<&Config::hot, &Config::Hot::password>}, true, true},
    {"hot.password_file", Text{"a file", set_file<&Config::hot, &Config::Hot::password_file>}},
    {"hot.tls_ca", Text{"a file", set_file<&Config::hot, &Config::Hot::tls_ca>}},
    {"hot.tls_cert", Text{"a file", set_file<&Config::hot, &Config::Hot::tls_cert>}},
    {"hot.tls_key", Text{"a file", set_file<&Config::hot, &Config::Hot::tls_key>}},
    {"hot.prefix", Text{"1 to 64 visible characters without braces, brackets, *, ? and \\", set_hot_prefix}},

    {"broker.kind", Choice{kBrokerKinds, [](Config& c, std::size_t i) { c.broker.kind = static_cast<BrokerKind>(i); }}},
    {"broker.urls", Urls{kBrokerUrls, is_broker_url, [](Config& c) -> std::vector<std::string>& { return c.broker.urls; }}},
    {"broker.user", Text{"a name of 1 to 80 bytes", set_broker_user}},
    {"broker.password", Text{"a password of at most 256 bytes", set_password<&Config::broker, &Config::Broker::password>}, true, true},
    {"broker.password_file", Text{"a file", set_file<&Config::broker, &Config::Broker::password_file>}},
    {"broker.tls_ca", Text{"a file", set_file<&Config::broker, &Config::Broker::tls_ca>}},
    {"broker.tls_cert", Text{"a file", set_file<&Config::broker, &Config::Broker::tls_cert>}},
    {"broker.tls_key", Text{"a file", set_file<&Config::broker, &Config::Broker::tls_key>}},
    {"broker.virtual_host", Text{"a name of 1 to 255 bytes", set_virtual_host}},
    {"broker.queue", Text{"1 to 200 visible characters that do not begin with amq.", set_queue}},
    {"broker.longest_queue", WholeNumber{16, 1'000'000, [](Config& c) -> unsigned& { return c.broker.longest_queue; }}},
    {"broker.prefetch", WholeNumber{1, 1000, [](Config& c) -> unsigned& { return c.broker.prefetch; }}},
    {"broker.decide_within_seconds", WholeNumber{1, 60, [](Config& c) -> unsigned& { return c.broker.decide_within_seconds; }}},

    {"backup.every", Text{"a number with s, m, h or d, such as 6h, up to 365d, or off", set_backup_every}},
    {"backup.keep", WholeNumber{1, 1000, [](Config& c) -> unsigned& { return c.backup.keep; }}},
    {"backup.folder", Text{"a folder", set_file<&Config::backup, &Config::Backup::folder>}},

    {"payments.provider", Choice{kProviders, [](Config& c, std::size_t i) { c.payments.provider = static_cast<PaymentProviderName>(i); }}},
    {"payments.sandbox_in_public", Switch{[](Config& c) -> bool& { return c.payments.sandbox_in_public; }}},
    {"payments.webhook_secrets", Secrets{[](Config& c) -> std::vector<std::string>& { return c.payments.webhook_secrets; }}, true},
    {"payments.tolerance_seconds", WholeNumber{1, 86400, [](Config& c) -> unsigned& { return c.payments.tolerance_seconds; }}},
    {"payments.sandbox_days", WholeNumber{2, 3650, [](Config& c) -> unsigned& { return c.payments.sandbox_days; }}},

    {"streams.per_user", WholeNumber{1, 1000, [](Config& c) -> unsigned& { return c.streams.per_user; }}},
    {"streams.per_address", WholeNumber{1, 1'000'000, [](Config& c) -> unsigned& { return c.streams.per_address; }}},
    {"streams.watched", WholeNumber{1, 1000, [](Config& c) -> unsigned& { return c.streams.watched; }}},
    {"streams.message_bytes", WholeNumber{256, 65'536, [](Config& c) -> unsigned& { return c.streams.message_bytes; }}},
    {"streams.messages_per_second", WholeNumber{1, 1000, [](Config& c) -> unsigned& { return c.streams.messages_per_second; }}},
    {"streams.queue", WholeNumber{16, 65'536, [](Config& c) -> unsigned& { return c.streams.queue; }}},
    {"streams.heartbeat_seconds", WholeNumber{1, 3600, [](Config& c) -> unsigned& { return c.streams.heartbeat_seconds; }}},

    {"machine_room.networks", Networks{[](Config& c) -> std::vector<Network>& { return c.machine_room.networks; }}},
    {"machine_room.token", Text{"a text of 16 to 256 visible characters", set_machine_room_token}, true},

    {"webhooks.allow_private", Networks{[](Config& c) -> std::vector<Network>& { return c.webhooks.allow_private; }}},
    {"webhooks.ca_file", Text{"a file", set_file<&Config::webhooks, &Config::Webhooks::ca_file>}},
    {"webhooks.timeout_seconds", WholeNumber{1, 60, [](Config& c) -> unsigned& { return c.webhooks.timeout_seconds; }}},
    {"webhooks.at_once", WholeNumber{1, 64, [](Config& c) -> unsigned& { return c.webhooks.at_once; }}},
    {"webhooks.first_pause_ms", WholeNumber{10, 3'600'000, [](Config& c) -> unsigned& { return c.webhooks.first_pause_ms; }}},
    {"webhooks.give_up_seconds", WholeNumber{1, 30 * 24 * 3600, [](Config& c) -> unsigned& { return c.webhooks.give_up_seconds; }}},
    {"webhooks.keep_delivered_hours", WholeNumber{1, 365 * 24, [](Config& c) -> unsigned& { return c.webhooks.keep_delivered_hours; }}},
    {"webhooks.keep_dead_hours", WholeNumber{1, 365 * 24, [](Config& c) -> unsigned& { return c.webhooks.keep_dead_hours; }}},

    {"alerts.language", Choice{kLanguages, [](Config& c, std::size_t i) { c.alerts.language = static_cast<Language>(i); }}},
    {"alerts.quiet_minutes", WholeNumber{1, 24 * 60, [](Config& c) -> unsigned& { return c.alerts.quiet_minutes; }}},
    {"alerts.timeout_seconds", WholeNumber{1, 60, [](Config& c) -> unsigned& { return c.alerts.timeout_seconds; }}},
    {"alerts.errors_percent", WholeNumber{1, 100, [](Config& c) -> unsigned& { return c.alerts.errors_percent; }}},
    {"alerts.webhook_url", Text{kAlertUrl, set_alert_url<&Config::Alerts::webhook_url>}, true},
    {"alerts.webhook_secret", Text{"a secret of at least 16 bytes", set_alert_secret}, true},
    {"alerts.wecom_url", Text{kAlertUrl, set_alert_url<&Config::Alerts::wecom_url>}, true},
    {"alerts.dingtalk_url", Text{kAlertUrl, set_alert_url<&Config::Alerts::dingtalk_url>}, true},
    {"alerts.dingtalk_secret", Text{"a text of at most 256 bytes", set_dingtalk_secret}, true},
    {"alerts.slack_url", Text{kAlertUrl, set_alert_url<&Config::Alerts::slack_url>}, true},
    {"alerts.mail_url", Text{"smtps://host[:port] or smtp://host[:port], without a user or a password", set_mail_url}},
    {"alerts.mail_user", Text{"a name of at most 256 bytes", set_mail_user}},
    {"alerts.mail_password", Text{"a password of at most 256 bytes", set_password<&Config::alerts, &Config::Alerts::mail_password>}, true, true},
    {"alerts.mail_password_file", Text{"a file", set_file<&Config::alerts, &Config::Alerts::mail_password_file>}},
    {"alerts.mail_from", Text{"an address such as sluice@shop.example.com", set_mail_from}},
    {"alerts.mail_to", Urls{"an address such as ops@shop.example.com", is_mail_address, [](Config& c) -> std::vector<std::string>& { return c.alerts.mail_to; }, "an address", "addresses"}},
};
// clang-format on
static_assert(std::size(kRateSettings) == 18, "each rate limit is a key");

}  // namespace

std::string Key::variable() const {
    std::string result = "SLUICE_";
    for (char c : name)
        result += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return result;
}

std::span<const Key> keys() {
    return kKeys;
}

const Key* find_key(std::string_view name) {
    const auto key = std::ranges::find(kKeys, name, &Key::name);
    return key == std::end(kKeys) ? nullptr : &*key;
}

bool is_section(std::string_view name) {
    return std::ranges::any_of(kKeys, [&](const Key& key) {
        return key.name.size() > name.size() && key.name.starts_with(name) &&
               key.name[name.size()] == '.';
    });
}

}  // namespace sluice
