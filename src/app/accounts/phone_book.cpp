#include "app/accounts/phone_book.hpp"

#include <algorithm>

namespace sluice {

Task<std::optional<Account>> PhoneBook::find(std::string phone) {
    const auto spellings = form_.spellings(phone);
    if (spellings.size() > 1) {
        const auto taken = co_await users_.find_taken(spellings);
        const auto best = std::ranges::find_if(spellings, [&](const std::string& each) {
            return std::ranges::find(taken, each) != taken.end();
        });
        // Always two reads, so that the time of a log-in does not reveal whether the phone is
        // known.
        if (best != spellings.end()) phone = *best;
    }
    auto account = co_await users_.find_by_phone(std::move(phone));
    co_return account;
}

Task<bool> PhoneBook::is_taken(std::string phone) {
    auto spellings = form_.spellings(phone);
    const auto taken = co_await users_.find_taken(std::move(spellings));
    co_return !taken.empty();
}

}  // namespace sluice
