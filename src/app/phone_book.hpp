#pragma once

#include "domain/phone.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// Finds accounts by phone, however it is spelt. New accounts are written in the canonical form.
/// Older ones may stand in any spelling, and one phone may have several from before the country was
/// configured: each is still found by its own spelling, and any other spelling finds the canonical
/// one, or else the one that stands first among PhoneForm::spellings. May throw Outage.
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
