#pragma once

#include "api/idempotency.hpp"
#include "api/office/admin_users.hpp"
#include "api/shop/sessions.hpp"
#include "api/shop/users.hpp"
#include "app/log_in.hpp"
#include "app/password_hasher.hpp"
#include "app/register_user.hpp"
#include "app/role_editor.hpp"
#include "assembly/binding.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "gate/log_in_limiter.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// Who people are: registration, log-in, sessions, roles.
class Accounts {
  public:
    struct Parts {
        const Config& config;
        UserLedger& users;
        SessionStore& sessions;
        const SessionTokens& tokens;
        PasswordHasher& hasher;
        const api::Receipts& receipts;
        const LimitScope& limit_scope;
        const std::array<unsigned char, 16>& limit_key;
        const Clock& clock;
        Random& random;
        IdSource& ids;
    };
    explicit Accounts(const Parts& parts);

    void bind(const Bind& bind);

    RegisterUser registration;

  private:
    LogIn login_;
    RoleEditor role_editor_;
    gate::LogInLimiter log_in_limiter_;
    api::Users users_;
    api::Sessions session_api_;
    api::AdminUsers admin_users_;
};

}  // namespace sluice
