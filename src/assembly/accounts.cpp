#include "assembly/accounts.hpp"

namespace sluice {

Accounts::Accounts(const Parts& parts)
    : registration(parts.users, parts.hasher, parts.clock, parts.ids),
      login_(parts.users, parts.sessions, parts.hasher, parts.tokens, parts.clock, parts.random),
      role_editor_(parts.users, parts.sessions, parts.clock, parts.ids),
      log_in_limiter_(parts.limit_scope, parts.limit_key),
      users_(registration, parts.receipts),
      session_api_(parts.config, login_, parts.sessions, parts.tokens, log_in_limiter_,
                   parts.clock),
      admin_users_(parts.users, role_editor_) {}

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
