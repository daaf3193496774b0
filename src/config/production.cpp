#include "config/production.hpp"

#include <algorithm>
#include <cstdint>

#include "config/broker_url.hpp"
#include "config/hot_url.hpp"
#include "config/ledger_url.hpp"

namespace sluice {
namespace {

/// Networks so large that the operator cannot mean all of their addresses.
bool is_too_wide(const Network& network) {
    return network.prefix < (network.base.is_v4() ? 96 + 8 : 16);
}

bool any_too_wide(const std::vector<Network>& networks) {
    return std::ranges::any_of(networks, is_too_wide);
}

bool is_any_address(const Endpoint& endpoint) {
    return endpoint.host == "0.0.0.0" || endpoint.host == "::";
}

bool is_loopback_only(const std::vector<Network>& networks) {
    return std::ranges::all_of(networks, [](const Network& network) {
        return is_loopback(network.base) && network.prefix >= (network.base.is_v4() ? 96 + 8 : 128);
    });
}

/// So many times its default is no slip, and no limit for a script either.
constexpr unsigned kFar = 10;

/// Fewer are taken by a few hundred shoppers.
constexpr unsigned kFewConnections = 1'024;

/// As the file has it: limits.buying.burst is `burst` under [limits.buying].
std::string line_of(std::string_view key, unsigned value) {
    const auto dot = key.rfind('.');
    return "[" + std::string(key.substr(0, dot)) + "] " + std::string(key.substr(dot + 1)) + " = " +
           std::to_string(value);
}

/// Collects what was found, each with where it stands now.
class Review {
  public:
    explicit Review(const Loaded& loaded) : loaded_(loaded), c_(loaded.config) {}

    std::vector<Finding> run(bool is_root) && {
        if (is_root) note_root();
        look_at_money();
        look_at_messages();
        look_at_the_way_in();
        look_at_limits();
        look_at_connections();
        look_at_accounts();
        look_at_the_office();
        look_at_alerts();
        look_at_storage();
        return std::move(findings_);
    }

  private:
    void note_root() {
        note("the user", "a flaw in a server that root runs is a flaw in the whole machine",
             "User=sluice, in the unit of systemd");
    }

    void look_at_money() {
        if (c_.payments.provider == PaymentProviderName::none)
            note("payments.provider",
                 "nobody can pay here, and each order that is not paid expires",
                 "nothing, if buyers pay elsewhere and you know how");
        if (c_.payments.provider == PaymentProviderName::sandbox)
            add("payments.provider", "whoever has an order can pay it without money",
                "[payments] provider = \"none\"");
        if (c_.payments.sandbox_in_public)
            add("payments.sandbox_in_public",
                "the server would start with the sandbox although customers can reach it",
                "[payments] sandbox_in_public = false");
    }

    void look_at_messages() {
        if (c_.sms.provider == MessageSenderName::sandbox)
            add("sms.provider",
                "everybody can read the codes to phones, and reset anybody's password with one",
                "[sms] provider = \"http\"");
        if (c_.sms.provider != MessageSenderName::none)
            keep_near("sms.per_day", c_.sms.per_day, usual_.sms.per_day,
                      "strangers can have messages sent for so much money in a day");
        if (c_.sms.sandbox_in_public)
            add("sms.sandbox_in_public",
                "the server would start with the sandbox although customers can reach it",
                "[sms] sandbox_in_public = false");
        if (c_.sms.provider != MessageSenderName::none && c_.sends_codes_anywhere())
            add("sms.countries",
                "strangers have codes sent to dear numbers abroad, and share what they cost",
                "[sms] countries = [\"CN\"]");
    }

    void look_at_the_way_in() {
        if (!c_.is_https())
            add("public_url", "passwords and sessions would cross the network in the clear",
                "public_url = \"https://shop.example.com\"");
        const auto& proxies = c_.http.trusted_proxies;
        if (c_.is_https() && proxies.empty())
            add("http.trusted_proxies",
                "https ends at a proxy that is not named here, so all customers count as one "
                "address",
                "[http] trusted_proxies = [\"127.0.0.1\"]");
        if (any_too_wide(proxies))
            add("http.trusted_proxies", "strangers in so wide a network can claim any address",
                "[http] trusted_proxies = [\"127.0.0.1\"]");
        if (c_.is_https() && !c_.listen.is_loopback() && !proxies.empty() &&
            is_loopback_only(proxies))
            add("listen", "others can come around the proxy on this machine, without https",
                "listen = \"127.0.0.1:" + std::to_string(c_.listen.port) + '"');
        if (std::ranges::any_of(c_.http.cors_origins,
                                [](const auto& each) { return each.starts_with("http://"); }))
            add("http.cors_origins", "whoever stands between can write into a page over plain http",
                "[http] cors_origins = [\"https://…\"]");
    }

    void look_at_limits() {
        if (!c_.limits.enabled)
            add("limits.enabled", "nobody is too fast, and passwords can be tried without end",
                "[limits] enabled = true");
        if (any_too_wide(c_.limits.exempt))
            add("limits.exempt", "strangers in so wide a network have no limit by address",
                "[limits] exempt = []");
        for (const auto& each : kRateSettings) {
            // Of a sale and the node less is not safer, and 0 is none: those are for machines.
            const bool is_common = each.name.starts_with("limits.sale.") ||
                                   each.name.starts_with("limits.node.") ||
                                   each.name == "limits.holders_per_network";
            if (is_common) continue;
            keep_near(each.name, each.in(c_.limits.rates), each.in(usual_.limits.rates),
                      "so much is no limit for a script");
        }
    }

    void look_at_connections() {
        const auto most = c_.http.max_connections;
        if (c_.http.connections_per_network > most / 4)
            add("http.connections_per_network", "a few addresses can take all connections",
                "[http] connections_per_network = 0");
        if (most < kFewConnections)
            add("http.max_connections",
                "a small crowd takes all connections, and others are refused",
                line_of("http.max_connections", usual_.http.max_connections));
    }

    void look_at_accounts() {
        keep_near("accounts.new_per_network", c_.accounts.new_per_network,
                  usual_.accounts.new_per_network,
                  "a script makes so many accounts a day from one address, and buys with each");
        if (c_.accounts.second_factor != SecondFactorRule::required)
            add("accounts.second_factor", "a stolen password is enough to enter the office",
                "[accounts] second_factor = \"required\"");
        if (!c_.accounts.verify_phone)
            add("accounts.verify_phone",
                "whoever makes up phones has as many accounts, and buys with each",
                "[accounts] verify_phone = true, with [sms] provider = \"http\"");
        if (c_.accounts.country.empty())
            add("accounts.country",
                "one person has an account for each spelling of their phone, and buys with each",
                "[accounts] country = \"CN\"");
    }

    void look_at_the_office() {
        if (!c_.admin_listen)
            add("admin_listen", "customers reach the operators' API, and crowd operators out",
                "admin_listen = \"127.0.0.1:8081\"");
        else if (is_any_address(*c_.admin_listen))
            add("admin_listen", "the operators' API is open on every address of this machine",
                "admin_listen = \"127.0.0.1:" + std::to_string(c_.admin_listen->port) + '"');
        if (any_too_wide(c_.machine_room.networks))
            add("machine_room.networks", "strangers in so wide a network can read /metrics",
                "[machine_room] networks = []");
        if (any_too_wide(c_.webhooks.allow_private))
            add("webhooks.allow_private", "webhooks may lead to any machine inside, without https",
                "[webhooks] allow_private = []");
        if (c_.log.level == LogLevel::debug)
            add("log.level", "each request is logged with the address of its sender",
                "[log] level = \"info\"");
    }

    void look_at_alerts() {
        const auto& to = c_.alerts;
        if (to.webhook_url.empty() && to.wecom_url.empty() && to.dingtalk_url.empty() &&
            to.slack_url.empty() && to.mail_url.empty())
            add("alerts", "nobody is told when something is wrong",
                "[alerts] mail_url, mail_from and mail_to, or the address of a robot");
    }

    void look_at_storage() {
        const auto url = LedgerUrl::parse(c_.ledger.url);
        if (c_.ledger.kind == LedgerKind::mariadb && url && !url->is_local() &&
            c_.ledger.tls != LedgerTls::checked)
            add("ledger.tls", "whoever is between this machine and the database can change orders",
                "[ledger] tls = \"checked\"");
        if (c_.ledger.kind == LedgerKind::sqlite && c_.backup.every.count() == 0)
            add("backup.every", "a lost disk takes every order with it", "[backup] every = \"6h\"");
        look_at_the_hot_tier();
        look_at_the_broker();
        look_at_the_file();
    }

    void look_at_the_hot_tier() {
        if (c_.hot.kind != HotKind::redis) return;
        const bool is_far = std::ranges::any_of(
            c_.hot.url, [](const auto& text) { return !HotUrl::parse(text)->is_local(); });
        const bool is_tls = HotUrl::parse(c_.hot.url.front())->is_tls;
        if (is_far && !is_tls)
            add("hot.url", "whoever is between this machine and Redis can close every sale",
                "[hot] url = \"rediss://HOST\"");
        if (is_far && c_.hot.password.empty() && c_.hot.password_file.empty())
            add("hot.password_file", "whoever reaches Redis can close every sale",
                "[hot] password_file = \"/etc/sluice/redis-password\"");
    }

    void look_at_the_broker() {
        if (c_.broker.kind != BrokerKind::rabbitmq) return;
        const bool is_far = std::ranges::any_of(
            c_.broker.urls, [](const auto& text) { return !BrokerUrl::parse(text)->is_local(); });
        if (is_far && !BrokerUrl::parse(c_.broker.urls.front())->is_tls)
            add("broker.urls", "whoever is between this machine and the broker can forge orders",
                "[broker] urls = [\"amqps://HOST\"]");
        if (c_.broker.user == "guest")
            add("broker.user", "everybody knows the password that RabbitMQ gives this user",
                "[broker] user = \"sluice\"");
        if (c_.broker.urls.size() < 3)
            add("broker.urls",
                "a broker of fewer than three nodes loses queued tickets with a disk",
                "[broker] urls = [\"amqps://A\", \"amqps://B\", \"amqps://C\"]");
    }

    /// Secrets belong into a file that only the server can read.
    void look_at_the_file() {
        const auto& file = loaded_.sources.file;
        if (!file) return;
        const bool has_secrets = std::ranges::any_of(
            std::initializer_list<const char*>{
                "accounts.legacy_fixed_salt", "payments.webhook_secrets", "machine_room.token",
                "sms.secret", "alerts.webhook_url", "alerts.webhook_secret", "alerts.wecom_url",
                "alerts.dingtalk_url", "alerts.dingtalk_secret", "alerts.slack_url"},
            [&](const char* key) {
                const auto place = loaded_.places.find(key);
                return place != loaded_.places.end() && place->second.starts_with(file->string());
            });
        std::error_code ignored;
        const auto mode = std::filesystem::status(*file, ignored).permissions();
        if (has_secrets && (mode & std::filesystem::perms::others_read) != std::filesystem::perms{})
            findings_.push_back(
                {.key = file->string(),
                 .reason = "it holds secrets, and every user of this machine can read it",
                 .line = "chmod o-rwx " + file->string(),
                 .place = {}});
    }

    void keep_near(std::string_view key, unsigned value, unsigned usual, std::string reason) {
        if (value <= std::uint64_t{usual} * kFar) return;
        reason += ": " + std::to_string(value) + ", where " + std::to_string(usual) + " is usual";
        add(std::string(key), std::move(reason), line_of(key, usual));
    }

    void note(std::string key, std::string reason, std::string line) {
        add(std::move(key), std::move(reason), std::move(line));
        findings_.back().is_note = true;
    }

    void add(std::string key, std::string reason, std::string line) {
        const auto place = loaded_.places.find(key);
        findings_.push_back({.key = std::move(key),
                             .reason = std::move(reason),
                             .line = std::move(line),
                             .place = place == loaded_.places.end() ? "" : place->second});
    }

    const Loaded& loaded_;
    const Config& c_;
    const Config usual_{};
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_unfit_for_customers(const Loaded& loaded, bool is_root) {
    return Review(loaded).run(is_root);
}

}  // namespace sluice
