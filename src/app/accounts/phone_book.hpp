#pragma once

#include "domain/phone.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// Finds accounts by phone, in any spelling. New accounts are stored in the canonical form. Older
/// ones may have any spelling, and one phone may have several accounts from before the country was
/// configured. Each of these is still found by its own spelling. Any other spelling finds the
/// canonical one, or else the one that comes first in PhoneForm::spellings. May throw Outage.
class PhoneBook {
  public:
    PhoneBook(UserLedger& users, const PhoneForm& form) : users_(users), form_(form) {}

    const PhoneForm& form() const { return form_; }

    Task<std::optional<Account>> find(std::string phone);

    /// In any spelling.
    Task<bool> is_taken(std::string phone);

  private:
    UserLedger& users_;
    const PhoneForm form_;
};

}  // namespace sluice
