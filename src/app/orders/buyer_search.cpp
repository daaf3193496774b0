#include "app/orders/buyer_search.hpp"

#include "base/encoding.hpp"

namespace sluice {
namespace {

/// Phones and names are checked by the rules of a registration, since no stored one breaks them.
void check_part(std::string_view phone, std::string_view name, std::string_view which,
                std::string field, std::vector<FieldError>& errors) {
    for (auto& error : check_profile(phone, name))
        if (error.field == which) errors.push_back({field, std::move(error.complaint)});
}

}  // namespace

std::vector<FieldError> BuyerSearch::check(const Wish& wish) {
    std::vector<FieldError> errors;
    if (wish.phone) check_part(*wish.phone, "", "phone", "phone", errors);
    if (wish.name && wish.name->empty())
        errors.push_back({"buyer_name", Rule::empty});  // an empty name would match everybody
    else if (wish.name && !is_utf8(*wish.name))
        errors.push_back({"buyer_name", Rule::not_utf8});
    else if (wish.name)
        check_part("", *wish.name, "name", "buyer_name", errors);
    return errors;
}

Task<Outcome<OrderList::Wanted>> BuyerSearch::narrow(OrderList::Wanted wanted, Wish wish) {
    if (wish.phone) {
        auto found = co_await find_by_phone(std::move(*wish.phone), wish.name.value_or(""));
        wanted.buyers = std::move(found);
    } else if (wish.name) {
        auto found = co_await users_.find_named(std::move(*wish.name), OrderList::kMostBuyers + 1);
        if (found.size() > OrderList::kMostBuyers) {
            const Complaint too_many(Rule::fits_too_many_buyers, OrderList::kMostBuyers);
            co_return refuse(std::vector{FieldError{"buyer_name", too_many}});
        }
        wanted.buyers = std::move(found);
    }
    co_return wanted;
}

/// One phone may have several accounts, from before the country was configured.
Task<std::vector<UserId>> BuyerSearch::find_by_phone(std::string phone, std::string name_begins) {
    const auto spellings = form_.spellings(phone);
    std::vector<UserId> found;
    for (const auto& each : spellings) {
        const auto account = co_await users_.find_by_phone(each);
        if (account && account->user.name.starts_with(name_begins))
            found.push_back(account->user.id);
    }
    co_return found;
}

}  // namespace sluice
