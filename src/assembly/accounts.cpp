#include "assembly/accounts.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The configuration names the gateway, so it may be in a private network.
web::WebPoster::Options to_anywhere() {
    return {.allowed = {Network::parse("0.0.0.0/0").value(), Network::parse("::/0").value()},
            .authorities = {},
            .patience = 10s,
            .resolvers = 2};
}

}  // namespace

Accounts::Accounts(const Parts& parts)
    : config_(parts.config),
      log_(parts.log),
      hasher_(parts.hasher),
      form_(find_country(parts.config.accounts.country)),
      code_countries_(parts.config.code_countries()),
      devices_(parts.device_key),
      registration(parts.users, form_, parts.hasher, parts.clock, parts.ids),
      book_(parts.users, form_),
      codes_(parts.code_key, parts.codes, parts.clock, parts.random),
      factor_watch_(parts.trail, parts.users, parts.clock, parts.ids, parts.log),
      factors_(parts.second_factors, parts.users, parts.sessions, parts.hasher, factor_watch_,
               parts.second_factor_key,
               parts.config.accounts.second_factor == SecondFactorRule::required, parts.clock,
               parts.random, parts.ids),
      login_(parts.users, form_, parts.sessions, parts.hasher, factors_, parts.tokens, parts.clock,
             parts.random),
      own_password_(parts.users, form_, codes_, parts.sessions, parts.hasher, parts.clock,
                    parts.ids),
      sign_up_(registration, parts.config.accounts.verify_phone ? &codes_ : nullptr),
      role_editor_(parts.users, parts.sessions, parts.clock, parts.ids),
      counts_(parts.counts),
      log_in_limiter_(parts.limit_scope, parts.limit_key, parts.counts),
      factor_limiter_(parts.limit_scope, parts.limit_key, parts.counts,
                      gate::LogInLimiter::kSecondFactors),
      new_account_limiter_(parts.limit_scope, parts.limit_key,
                           gate::NewAccountLimiter::per_day(parts.config.accounts.new_per_network,
                                                            parts.config.accounts.verify_phone),
                           parts.exchange),
      code_limiter_(parts.limit_scope, parts.limit_key, parts.config.sms.per_day, parts.exchange),
      outbox_([this] { wake_couriers(); }),
      sandbox_messages_(parts.clock, parts.config.sms.provider == MessageSenderName::sandbox),
      gateway_(parts.config.sms.provider == MessageSenderName::http
                   ? std::make_unique<Gateway>(parts.config.sms, parts.loop, parts.clock)
                   : nullptr),
      courier_(outbox_, sender(), parts.clock, parts.log),
      device_cookies_(parts.config, devices_, parts.random),
      send_code_(book_, codes_, outbox_, parts.clock, parts.ids),
      users_(registration, sign_up_, parts.receipts, new_account_limiter_, device_cookies_),
      session_api_(parts.config, {.login = login_,
                                  .store = parts.sessions,
                                  .tokens = parts.tokens,
                                  .devices = device_cookies_,
                                  .form = form_,
                                  .limiter = log_in_limiter_,
                                  .factor_limiter = factor_limiter_,
                                  .clock = parts.clock}),
      passwords_(parts.config, {.passwords = own_password_,
                                .send_code = send_code_,
                                .form = form_,
                                .countries = code_countries_,
                                .code_limiter = code_limiter_,
                                .log_in_limiter = log_in_limiter_,
                                .devices = device_cookies_}),
      second_factor_api_(factors_, log_in_limiter_, factor_limiter_),
      admin_users_(parts.users, form_, role_editor_) {
    for (std::size_t i = 1; i <= kCouriers; ++i)
        couriers_.emplace_back(
            "message_courier_" + std::to_string(i), MessageCourier::kLongestPause,
            [this] { return courier_.send_due(); }, parts.log);
}

void Accounts::wake_couriers() {
    for (auto& each : couriers_) each.wake();
}

Accounts::Gateway::Gateway(const Config::Sms& config, AsioLoop& on, const Clock& clock)
    : loop(on),
      poster(to_anywhere(), on),
      sender(poster, {.url = config.url, .secret = config.secret, .body = config.body}, clock) {}

MessageSender& Accounts::sender() {
    if (gateway_) return gateway_->sender;
    return sandbox_messages_;
}

void Accounts::bind(const Bind& bind) {
    bind("create_user", to(users_, &api::Users::create));
    bind("log_in", to(session_api_, &api::Sessions::log_in));
    bind("show_session", to(session_api_, &api::Sessions::show));
    bind("log_out", to(session_api_, &api::Sessions::log_out));
    bind("log_out_everywhere", to(session_api_, &api::Sessions::log_out_everywhere));
    bind("show_account_rules", to(passwords_, &api::Passwords::show_rules));
    bind("send_phone_code", to(passwords_, &api::Passwords::send_code));
    bind("reset_password", to(passwords_, &api::Passwords::reset));
    bind("change_password", to(passwords_, &api::Passwords::change));
    bind("show_second_factor", to(second_factor_api_, &api::SecondFactorDesk::show));
    bind("begin_second_factor", to(second_factor_api_, &api::SecondFactorDesk::begin));
    bind("confirm_second_factor", to(second_factor_api_, &api::SecondFactorDesk::confirm));
    bind("remove_second_factor", to(second_factor_api_, &api::SecondFactorDesk::remove));
    bind("list_sandbox_messages", to(sandbox_messages_, &sandbox::SandboxMessages::show));
    bind("list_users", to(admin_users_, &api::AdminUsers::list));
    bind("show_user", to(admin_users_, &api::AdminUsers::show_one));
    bind("change_role", to(admin_users_, &api::AdminUsers::change_role));
}

void Accounts::employ(Keeper& keeper) {
    if (config_.sms.provider == MessageSenderName::sandbox)
        log_.warn("sms.sandbox", {{"reason", "messages to phones are shown to everybody"}});
    for (auto& each : couriers_) keeper.employ(each);
    if (counts_)
        keeper.employ("code_counts", 1s, [this] {
            return code_limiter_.exchange(*counts_, std::chrono::steady_clock::now());
        });
}

void Accounts::stop() {
    courier_.stop();
    if (gateway_) gateway_->loop.post([this] { gateway_->poster.hang_up(); });
}

void Accounts::add_metrics(MetricsPage& metrics) const {
    for (const auto& [lane, name] :
         {std::pair(HashLane::registration, "registration"),
          std::pair(HashLane::shoppers, "shoppers"), std::pair(HashLane::known, "known"),
          std::pair(HashLane::operators, "operators")})
        metrics.add_gauge("sluice_hash_waiting", "Passwords that wait to be hashed, by lane.",
                          [this, lane] { return static_cast<double>(hasher_.waiting(lane)); },
                          {{"lane", name}});
    metrics.add_gauge("sluice_messages_waiting", "Messages to phones that wait to be sent.",
                      [this] { return static_cast<double>(outbox_.size()); });
    metrics.add_counter("sluice_messages_total", "Messages to phones, by what came of them.",
                        [this] { return static_cast<double>(courier_.sent()); },
                        {{"outcome", "sent"}});
    metrics.add_counter("sluice_messages_total", "Messages to phones, by what came of them.",
                        [this] { return static_cast<double>(courier_.given_up()); },
                        {{"outcome", "given_up"}});
}

}  // namespace sluice
