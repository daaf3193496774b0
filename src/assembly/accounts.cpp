#include "assembly/accounts.hpp"

namespace sluice {

Accounts::Accounts(const Foundation& base, SessionStore& sessions, const api::Receipts& receipts)
    : registration(base.ledgers.users(), base.hasher, base.clock, base.ids),
      login_(base.ledgers.users(), sessions, base.hasher, base.tokens, base.clock, base.random),
      role_editor_(base.ledgers.users(), sessions, base.clock, base.ids),
      log_in_limiter_(base.limit_scope, base.keys.limits),
      users_(registration, receipts),
      session_api_(base.config, login_, sessions, base.tokens, log_in_limiter_, base.clock),
      admin_users_(base.ledgers.users(), role_editor_) {}

void Accounts::bind(const Bind& bind) {
    bind("create_user", to(users_, &api::Users::create));
    bind("log_in", to(session_api_, &api::Sessions::log_in));
    bind("show_session", to(session_api_, &api::Sessions::show));
    bind("log_out", to(session_api_, &api::Sessions::log_out));
    bind("log_out_everywhere", to(session_api_, &api::Sessions::log_out_everywhere));
    bind("list_users", to(admin_users_, &api::AdminUsers::list));
    bind("show_user", to(admin_users_, &api::AdminUsers::show_one));
    bind("change_role", to(admin_users_, &api::AdminUsers::change_role));
}

}  // namespace sluice
