#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "domain/language.hpp"
#include "domain/phone.hpp"
#include "domain/rate_limits.hpp"

namespace sluice {

/// Where to listen, written 127.0.0.1:8080, [::1]:8080 or localhost:8080. Numbers with dots that
/// are no valid address are refused: they are a typing mistake, not a name to look up.
bool is_plausible_host(std::string_view host);
/// http(s)://host[:port] and nothing more.
bool is_web_address(std::string_view text);

struct Endpoint {
    std::string host;        // an address without brackets, or a name
    std::uint16_t port = 0;  // 0: any free port

    static std::optional<Endpoint> parse(std::string_view);
    std::string text() const;
    /// Whether only this machine can reach it. A name other than localhost may point anywhere.
    bool is_loopback() const;

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// In sms.countries, in place of their names.
inline constexpr std::string_view kAllCountries = "all";

enum class LogLevel { debug, info, warn, error };
enum class LogFormat { text, json };
enum class PaymentProviderName { none, sandbox };
enum class MessageSenderName { none, sandbox, http };
enum class SecondFactorRule { optional, required };
enum class LedgerKind { sqlite, mariadb };
/// How connections to a MariaDB server are made: plain, encrypted, or encrypted with a check of the
/// server's certificate.
enum class LedgerTls { off, on, checked };
enum class HotKind { memory, redis };
enum class BrokerKind { none, rabbitmq };

/// What a node does. Without a configured role it does everything.
struct Roles {
    bool edge = true;    // answers shoppers and operators, and claims
    bool writer = true;  // decides tickets that others have handed off
    bool keeper = true;  // expires holds, fills hot copies, tells webhooks, prunes

    bool has_all() const { return edge && writer && keeper; }
    /// As the configuration writes them: "edge", "writer", "keeper".
    std::vector<std::string> names() const;

    friend bool operator==(const Roles&, const Roles&) = default;
};

/// All settings, checked by load_config and not changed after it. The ranges stand in keys.cpp, the
/// relations between values in relations.cpp.
struct Config {
    struct Http {
        unsigned accept_backlog = 4096;
        unsigned max_connections = 16384;
        unsigned connections_per_network = 0;  // 0: a sixteenth of max_connections
        unsigned admin_connections = 256;      // of admin_listen, besides max_connections
        unsigned keep_alive_seconds = 75;
        unsigned keep_alive_requests = 10000;
        unsigned header_bytes = 16384;
        unsigned header_fields = 100;
        unsigned body_bytes = 65536;
        unsigned header_seconds = 10;
        unsigned body_seconds = 30;
        unsigned write_seconds = 30;
        unsigned drain_seconds = 30;
        std::vector<Network> trusted_proxies;   // whose X-Forwarded-For and -Proto count
        std::vector<std::string> cors_origins;  // whose pages may read the shop's API

        friend bool operator==(const Http&, const Http&) = default;
    };

    struct Clock {
        unsigned patience_seconds = 60;  // a clock step counts after lasting so long

        friend bool operator==(const Clock&, const Clock&) = default;
    };

    struct Limits {
        bool enabled = true;          // request-rate and login limits only; sms.per_day stays
        std::vector<Network> exempt;  // without address limits
        RateLimits rates;             // unless an operator has set others

        friend bool operator==(const Limits&, const Limits&) = default;
    };

    struct Log {
        LogLevel level = LogLevel::info;
        LogFormat format = LogFormat::text;

        friend bool operator==(const Log&, const Log&) = default;
    };

    struct Accounts {
        unsigned session_minutes = 30;  // since the last request
        unsigned session_days = 30;     // since the log-in
        unsigned hash_threads = 2;
        unsigned hash_backlog = 64;  // waiting in one lane; beyond this they are told to come back
        std::string legacy_fixed_salt;  // of imported passwords; a secret
        std::string country;            // whose phones are meant; empty: any spelling is kept
        bool verify_phone = false;      // by a code in a message, at registration
        unsigned new_per_network = 60;  // accounts in a day; fourfold for an IPv6 /48
        SecondFactorRule second_factor = SecondFactorRule::optional;  // of staff

        friend bool operator==(const Accounts&, const Accounts&) = default;
    };

    /// Messages to phones.
    struct Sms {
        MessageSenderName provider = MessageSenderName::none;
        bool sandbox_in_public = false;  // the sandbox may be reached from other machines
        std::string url;                 // of the gateway
        std::string secret;              // signs the requests to it
        std::string body = R"({"to":"{phone}","text":"{text}"})";
        unsigned per_day = 10'000;           // messages, to all phones together
        std::vector<std::string> countries;  // to whose phones; empty: that of accounts, if any

        friend bool operator==(const Sms&, const Sms&) = default;
    };

    struct Challenge {
        unsigned pow_bits = 19;  // zero bits of a proof of work, unless the sale says
        unsigned draw_threads = 1;
        unsigned draw_backlog = 256;  // waiting formulas; more are refused

        friend bool operator==(const Challenge&, const Challenge&) = default;
    };

    struct Ledger {
        /// The docs promise that no purchase is refused while fewer wait.
        static constexpr unsigned kLeastBacklog = 1'024;

        unsigned batch = 512;     // writes in one transaction
        unsigned backlog = 8192;  // waiting writes; more are refused
        unsigned readers = 2;
        LedgerKind kind = LedgerKind::sqlite;

        // Of a MariaDB server only:
        std::string url;  // as LedgerUrl reads it
        std::string user = "sluice";
        std::string password;                 // a secret, from the environment only
        std::filesystem::path password_file;  // whose first line is the password
        LedgerTls tls = LedgerTls::off;
        std::filesystem::path tls_ca;    // who signed the server's certificate
        std::filesystem::path tls_cert;  // ours, if the server wants one
        std::filesystem::path tls_key;
        unsigned writers = 2;  // threads for purchases

        friend bool operator==(const Ledger&, const Ledger&) = default;
    };

    /// Where the hot copies of the stock are kept.
    struct Hot {
        HotKind kind = HotKind::memory;

        // Of Redis only:
        std::vector<std::string> url;  // as HotUrl reads them, tried in turn until one is a master
        std::string user;              // empty: the default user
        std::string password;          // a secret, from the environment only
        std::filesystem::path password_file;  // whose first line is the password
        std::filesystem::path tls_ca;         // who signed the server's certificate
        std::filesystem::path tls_cert;       // ours, if the server wants one
        std::filesystem::path tls_key;
        std::string prefix = "sluice:";  // of all our keys

        friend bool operator==(const Hot&, const Hot&) = default;
    };

    /// What carries tickets from the nodes that claim to the nodes that write.
    struct Broker {
        BrokerKind kind = BrokerKind::none;

        // Of RabbitMQ only:
        std::vector<std::string> urls;  // as BrokerUrl reads them, tried in turn
        std::string user = "sluice";
        std::string password;                 // a secret, from the environment only
        std::filesystem::path password_file;  // whose first line is the password
        std::filesystem::path tls_ca;         // who signed the broker's certificate
        std::filesystem::path tls_cert;       // ours, if the broker wants one
        std::filesystem::path tls_key;
        std::string virtual_host = "/";
        std::string queue = "sluice.tickets";
        unsigned longest_queue = 20'000;     // messages; the broker refuses more
        unsigned prefetch = 128;             // messages that one writer holds
        unsigned decide_within_seconds = 5;  // what is accepted; else buyers are told to come back

        friend bool operator==(const Broker&, const Broker&) = default;
    };

    struct Payments {
        PaymentProviderName provider = PaymentProviderName::none;
        bool sandbox_in_public = false;  // the sandbox may be reached from other machines
        std::vector<std::string>
            webhook_secrets;  // that the provider may sign with, besides its own
        unsigned tolerance_seconds = 300;
        unsigned sandbox_days = 30;  // how long the sandbox keeps bills and letters

        friend bool operator==(const Payments&, const Payments&) = default;
    };

    struct Backup {
        std::chrono::seconds every{0};  // 0: none are taken
        unsigned keep = 7;
        std::filesystem::path folder;  // empty: `backups` in the data folder

        friend bool operator==(const Backup&, const Backup&) = default;
    };

    struct Streams {
        unsigned per_user = 8;
        unsigned per_address = 1000;
        unsigned watched = 100;         // sales on one stream
        unsigned message_bytes = 4096;  // of what a client says
        unsigned messages_per_second = 10;
        unsigned queue = 256;  // messages that wait to be sent
        unsigned heartbeat_seconds = 30;

        friend bool operator==(const Streams&, const Streams&) = default;
    };

    /// Who may see metrics and the details of readiness, besides this machine and the operators.
    struct MachineRoom {
        std::vector<Network> networks;
        std::string token;  // a secret; empty: none

        friend bool operator==(const MachineRoom&, const MachineRoom&) = default;
    };

    struct Webhooks {
        std::vector<Network> allow_private;  // allowed though not public; also without https
        std::filesystem::path ca_file;       // authorities besides the system's
        unsigned timeout_seconds = 10;       // for one delivery
        unsigned at_once = 8;                // deliveries under way to one webhook
        unsigned first_pause_ms = 5000;      // then twice as long each time, up to an hour
        unsigned give_up_seconds = 72 * 60 * 60;
        unsigned keep_delivered_hours = 7 * 24;
        unsigned keep_dead_hours = 30 * 24;

        friend bool operator==(const Webhooks&, const Webhooks&) = default;
    };

    /// Where operators are told when something is wrong: one channel of each kind that has an
    /// address.
    struct Alerts {
        Language language = Language::en;
        unsigned quiet_minutes = 30;    // an alert is repeated after so long
        unsigned timeout_seconds = 10;  // for one attempt on one channel
        unsigned errors_percent = 5;    // share of 5xx among all answers that makes an alert

        // The address of a robot contains its key, so each address is a secret.
        std::string webhook_url;
        std::string webhook_secret;
        std::string wecom_url;
        std::string dingtalk_url;
        std::string dingtalk_secret;  // empty: the robot is protected in another way
        std::string slack_url;

        std::string mail_url;  // as MailUrl reads it; no secret
        std::string mail_user;
        std::string mail_password;                 // a secret, from the environment only
        std::filesystem::path mail_password_file;  // whose first line is the password
        std::string mail_from;
        std::vector<std::string> mail_to;

        friend bool operator==(const Alerts&, const Alerts&) = default;
    };

    Endpoint listen{"127.0.0.1", 8080};
    /// When given, the machine-room and admin paths are served on this listener only.
    std::optional<Endpoint> admin_listen;
    std::filesystem::path data = "./data";
    unsigned threads = 0;  // 0: one for each core
    Roles roles;
    /// The address that browsers use: http(s)://host[:port]. Empty: taken from each request.
    std::string public_url;
    std::filesystem::path web_root;  // empty: `web` beside the binary

    Http http;
    Clock clock;
    Limits limits;
    Log log;
    Accounts accounts;
    Sms sms;
    Challenge challenge;
    Ledger ledger;
    Hot hot;
    Broker broker;
    Backup backup;
    Payments payments;
    Streams streams;
    MachineRoom machine_room;
    Webhooks webhooks;
    Alerts alerts;

    /// Whether browsers reach us by https, which a proxy before us terminates.
    bool is_https() const { return public_url.starts_with("https://"); }
    /// Whether codes are sent to phones all over the world.
    bool sends_codes_anywhere() const;
    PhoneCountries code_countries() const;
    /// How many connections one network may have, of so many in all.
    std::size_t connections_per_network(std::size_t all) const;

    friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace sluice
