#pragma once

#include "app/accounts/role_editor.hpp"
#include "domain/phone.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class AdminUsers {
  public:
    AdminUsers(UserLedger& ledger, const PhoneForm& form, RoleEditor& editor)
        : ledger_(ledger), form_(form), editor_(editor) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show_one(http::Exchange& exchange);
    http::Pending change_role(http::Exchange& exchange);

  private:
    Task<> show(http::Exchange& exchange, UserLedger::Wanted wanted);
    /// Those who have the phone in any spelling, in the order of the list.
    Task<std::vector<User>> find(UserLedger::Wanted wanted);
    Task<> look_up(http::Exchange& exchange, UserId id);
    Task<> change(http::Exchange& exchange, UserId id, Role role);

    UserLedger& ledger_;
    const PhoneForm form_;
    RoleEditor& editor_;
};

}  // namespace sluice::api
