#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/phone.hpp"
#include "ports/order_list.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// What people tell about a buyer whose orders are searched.
class BuyerSearch {
  public:
    struct Wish {
        std::optional<std::string> phone{};  // the whole of it, in any spelling
        std::optional<std::string> name{};   // its beginning, letter by letter
    };

    BuyerSearch(UserLedger& users, const PhoneForm& form) : users_(users), form_(form) {}

    /// What is wrong with a wish; empty when nothing is.
    static std::vector<FieldError> check(const Wish& wish);

    /// The list of the orders of all buyers that match the wish. Refuses with invalid a name that
    /// matches more than OrderList::kMostBuyers. May throw Outage.
    Task<Outcome<OrderList::Wanted>> narrow(OrderList::Wanted wanted, Wish wish);

  private:
    Task<std::vector<UserId>> find_by_phone(std::string phone, std::string name_begins);

    UserLedger& users_;
    const PhoneForm form_;
};

}  // namespace sluice
