#pragma once

#include <list>
#include <memory>

#include "adapters/web/http_message_sender.hpp"
#include "adapters/web/web_poster.hpp"
#include "api/idempotency.hpp"
#include "api/office/admin_users.hpp"
#include "api/shop/device_cookies.hpp"
#include "api/shop/passwords.hpp"
#include "api/shop/second_factor.hpp"
#include "api/shop/sessions.hpp"
#include "api/shop/users.hpp"
#include "app/accounts/factor_watch.hpp"
#include "app/accounts/log_in.hpp"
#include "app/accounts/password_hasher.hpp"
#include "app/accounts/register_user.hpp"
#include "app/accounts/role_editor.hpp"
#include "app/accounts/send_phone_code.hpp"
#include "app/accounts/sign_up.hpp"
#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "gate/log_in_limiter.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/second_factor_ledger.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"
#include "sandbox/sandbox_messages.hpp"
#include "workers/message_courier.hpp"

namespace sluice {

/// Everything about users: registration, log-in, sessions, roles, passwords, second factors.
class Accounts {
  public:
    struct Parts {
        const Config& config;
        UserLedger& users;
        SecondFactorLedger& second_factors;
        TrailLedger& trail;
        SessionStore& sessions;
        const SessionTokens& tokens;
        PasswordHasher& hasher;
        const api::Receipts& receipts;
        const LimitScope& limit_scope;
        const std::array<unsigned char, 16>& limit_key;
        SharedCounts* counts;           // as HotTier has them
        gate::CountExchange* exchange;  // of the gatehouse
        const DeviceTokens::Key& device_key;
        const PhoneCodes::Key& code_key;
        CodeBox& codes;
        const SecondFactors::Key& second_factor_key;
        AsioLoop& loop;  // of the keeper
        const Clock& clock;
        Random& random;
        IdSource& ids;
        Log& log;
    };
    explicit Accounts(const Parts& parts);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;
    /// Whose second factor was guessed at since the last call.
    std::vector<FactorWatch::Guessed> take_guessed_factors() { return factor_watch_.take(); }
    /// Before the workers end: nobody waits for a gateway then.
    void stop();

  private:
    /// Sends messages over HTTP to the gateway of the configuration.
    struct Gateway {
        Gateway(const Config::Sms& config, AsioLoop& loop, const Clock& clock);

        AsioLoop& loop;
        web::WebPoster poster;
        web::HttpMessageSender sender;
    };
    /// How many messages are sent at the same time.
    static constexpr std::size_t kCouriers = 4;

    void wake_couriers();
    MessageSender& sender();

    const Config& config_;
    Log& log_;
    const PasswordHasher& hasher_;
    const PhoneForm form_;
    const PhoneCountries code_countries_;
    const DeviceTokens devices_;

  public:
    RegisterUser registration;

  private:
    PhoneBook book_;
    PhoneCodes codes_;
    FactorWatch factor_watch_;
    SecondFactors factors_;
    LogIn login_;
    OwnPassword own_password_;
    SignUp sign_up_;
    RoleEditor role_editor_;
    SharedCounts* const counts_;
    gate::LogInLimiter log_in_limiter_;
    gate::LogInLimiter factor_limiter_;
    gate::NewAccountLimiter new_account_limiter_;
    gate::CodeLimiter code_limiter_;

    MessageOutbox outbox_;
    sandbox::SandboxMessages sandbox_messages_;
    const std::unique_ptr<Gateway> gateway_;  // nullptr unless it is used
    MessageCourier courier_;
    std::list<Periodic> couriers_;

    api::DeviceCookies device_cookies_;
    SendPhoneCode send_code_;
    api::Users users_;
    api::Sessions session_api_;
    api::Passwords passwords_;
    api::SecondFactorDesk second_factor_api_;
    api::AdminUsers admin_users_;
};

}  // namespace sluice
