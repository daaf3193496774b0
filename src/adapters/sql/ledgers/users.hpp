#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::ledgers {

class Users final : public UserLedger {
  public:
    Users(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Outcome<Created>> add(Account account, std::optional<Receipt> receipt) override;
    Task<std::optional<Account>> find_by_phone(std::string phone) override;
    Task<std::optional<User>> find(UserId id) override;
    Task<std::vector<User>> list(Wanted wanted) override;
    Task<std::vector<UserId>> find_named(std::string beginning, std::size_t limit) override;
    Task<bool> set_password_hash(UserId id, std::string hash, Deed deed) override;
    Task<std::optional<std::vector<SessionKey>>> change_password(PasswordChange change) override;
    Task<bool> replace_password_hash(UserId id, std::string before, std::string after) override;
    Task<bool> set_phone(UserId id, std::string before, std::string after) override;
    Task<bool> set_role(UserId id, Role role, Deed deed) override;
    Task<Outcome<Done>> change_role(UserId id, Role before, Role after, Deed deed) override;
    Task<Outcome<Done>> mint(std::vector<MintedBuyer> buyers) override;
    Task<std::vector<std::string>> find_taken(std::vector<std::string> phones) override;
    Task<std::vector<std::string>> add_free(std::vector<Account> accounts,
                                            std::optional<Deed> deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
