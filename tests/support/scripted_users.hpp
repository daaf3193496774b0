#pragma once

#include <map>

#include "base/check.hpp"
#include "base/outage.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::testing_support {

/// Accounts by phone, in memory. `is_down` makes every call fail. Calls that no test of
/// registrations needs are missing.
class ScriptedUsers final : public UserLedger {
  public:
    std::map<std::string, Account> accounts;
    bool is_down = false;

    Task<Outcome<Created>> add(Account account, std::optional<Receipt>) override {
        expect_up();
        const auto phone = account.user.phone;
        if (!accounts.try_emplace(phone, std::move(account)).second)
            co_return refuse(Reason::conflict, Detail::phone_taken);
        co_return Created{};
    }
    Task<std::optional<Account>> find_by_phone(std::string phone) override {
        expect_up();
        const auto at = accounts.find(phone);
        if (at == accounts.end()) co_return std::nullopt;
        co_return at->second;
    }
    Task<std::vector<std::string>> find_taken(std::vector<std::string> phones) override {
        expect_up();
        std::erase_if(phones, [&](const auto& phone) { return !accounts.contains(phone); });
        co_return phones;
    }

    Task<std::vector<UserId>> find_named(std::string beginning, std::size_t limit) override {
        expect_up();
        std::vector<UserId> found;
        for (const auto& [phone, account] : accounts)
            if (found.size() < limit && account.user.name.starts_with(beginning))
                found.push_back(account.user.id);
        co_return found;
    }

    Task<std::optional<User>> find(UserId id) override {
        expect_up();
        for (const auto& [phone, account] : accounts)
            if (account.user.id == id) co_return account.user;
        co_return std::nullopt;
    }
    Task<std::vector<User>> list(Wanted) override { return nobody_asks(); }
    Task<bool> set_password_hash(UserId, std::string, Deed) override { return nobody_asks(); }
    Task<std::optional<std::vector<SessionKey>>> change_password(PasswordChange) override {
        return nobody_asks();
    }
    Task<bool> replace_password_hash(UserId, std::string, std::string) override {
        return nobody_asks();
    }
    Task<bool> set_phone(UserId, std::string, std::string) override { return nobody_asks(); }
    Task<bool> set_role(UserId, Role, Deed) override { return nobody_asks(); }
    Task<Outcome<Done>> change_role(UserId, Role, Role, Deed) override { return nobody_asks(); }
    Task<Outcome<Done>> mint(std::vector<MintedBuyer>) override { return nobody_asks(); }
    Task<std::vector<std::string>> add_free(std::vector<Account>, std::optional<Deed>) override {
        return nobody_asks();
    }

  private:
    struct NobodyAsks {
        template <class T>
        operator Task<T>() const {
            CHECK(false, "no test asks for it");
            co_return T{};
        }
    };
    static NobodyAsks nobody_asks() { return {}; }

    void expect_up() const {
        if (is_down) throw Outage("the ledger is away");
    }
};

}  // namespace sluice::testing_support
