#pragma once

#include "app/office/actor.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

class RoleEditor {
  public:
    RoleEditor(UserLedger& ledger, SessionStore& sessions, const Clock& clock, IdSource& ids)
        : ledger_(ledger), sessions_(sessions), clock_(clock), ids_(ids) {}

    /// The user with the new role; running sessions have it too when this returns. Refuses as
    /// check_role_change does, and with conflict when no admin would be left. May throw Outage.
    Task<Outcome<User>> change(UserId id, Role role, Actor actor, Role actor_role);

  private:
    UserLedger& ledger_;
    SessionStore& sessions_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
