#pragma once

#include "app/role_editor.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class AdminUsers {
  public:
    AdminUsers(UserLedger& ledger, RoleEditor& editor) : ledger_(ledger), editor_(editor) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show_one(http::Exchange& exchange);
    http::Pending change_role(http::Exchange& exchange);

  private:
    Task<> show(http::Exchange& exchange, UserLedger::Wanted wanted);
    Task<> look_up(http::Exchange& exchange, UserId id);
    Task<> change(http::Exchange& exchange, UserId id, Role role);

    UserLedger& ledger_;
    RoleEditor& editor_;
};

}  // namespace sluice::api
