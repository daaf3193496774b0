#include "assembly/accounts.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// The gateway is named in the configuration, so it may stand inside.
web::WebPoster::Options to_anywhere() {
    return {.allowed = {Network::parse("0.0.0.0/0").value(), Network::parse("::/0").value()},
            .authorities = {},
            .patience = 10s,
            .resolvers = 2};
}

}  // namespace

Accounts::Accounts(const Foundation& base, SessionStore& sessions, const api::Receipts& receipts,
                   AsioLoop& loop)
    : config_(base.config),
      log_(base.log),
      hasher_(base.hasher),
      form_(find_country(base.config.accounts.country)),
      devices_(base.keys.devices),
      registration(base.ledgers.users(), form_, base.hasher, base.clock, base.ids),
      book_(base.ledgers.users(), form_),
      codes_(base.keys.phone_codes, base.clock, base.random),
      factors_(base.ledgers.second_factors(), sessions, base.keys.second_factors, base.clock,
               base.random, base.ids),
      login_(base.ledgers.users(), form_, sessions, base.hasher, factors_, base.tokens, base.clock,
             base.random),
      own_password_(base.ledgers.users(), form_, sessions, base.hasher, base.clock, base.ids),
      role_editor_(base.ledgers.users(), sessions, base.clock, base.ids),
      log_in_limiter_(base.limit_scope, base.keys.limits),
      new_account_limiter_(base.limit_scope, base.keys.limits,
                           base.config.accounts.new_per_network),
      code_limiter_(base.limit_scope, base.keys.limits, base.config.sms.per_day),
      sandbox_messages_(base.clock),
      gateway_(base.config.sms.provider == MessageSenderName::http
                   ? std::make_unique<Gateway>(base.config.sms, loop, base.clock)
                   : nullptr),
      courier_(outbox_, sender(), base.clock, base.log),
      device_cookies_(base.config, devices_, base.random),
      users_(registration, receipts, new_account_limiter_,
             base.config.accounts.verify_phone ? &codes_ : nullptr),
      session_api_(base.config, {.login = login_,
                                 .store = sessions,
                                 .tokens = base.tokens,
                                 .devices = device_cookies_,
                                 .form = form_,
                                 .limiter = log_in_limiter_,
                                 .clock = base.clock}),
      passwords_(base.config, {.passwords = own_password_,
                               .book = book_,
                               .codes = codes_,
                               .outbox = outbox_,
                               .code_limiter = code_limiter_,
                               .log_in_limiter = log_in_limiter_,
                               .devices = device_cookies_,
                               .ids = base.ids,
                               .clock = base.clock}),
      second_factor_api_(base.config, factors_, base.ledgers.users(), base.hasher, log_in_limiter_),
      admin_users_(base.ledgers.users(), form_, role_editor_) {
    for (std::size_t i = 1; i <= kCouriers; ++i)
        couriers_.emplace_back(
            "message_courier_" + std::to_string(i), MessageCourier::kLongestPause,
            [this] { return courier_.send_due(); }, base.log);
    outbox_.on_put([this] {
        for (auto& each : couriers_) each.wake();
    });
}

Accounts::Gateway::Gateway(const Config::Sms& config, AsioLoop& on, const Clock& clock)
    : loop(on),
      poster(to_anywhere(), on),
      sender(poster, {.url = config.url, .secret = config.secret, .body = config.body}, clock) {}

MessageSender& Accounts::sender() {
    if (gateway_) return gateway_->sender;
    if (config_.sms.provider == MessageSenderName::sandbox) sandbox_messages_.switch_on();
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
}

void Accounts::stop() {
    courier_.stop();
    if (gateway_) gateway_->loop.post([this] { gateway_->poster.hang_up(); });
}

void Accounts::add_metrics(MetricsPage& metrics) const {
    for (const auto& [lane, name] :
         {std::pair(HashLane::registration, "registration"),
          std::pair(HashLane::shoppers, "shoppers"), std::pair(HashLane::operators, "operators")})
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
