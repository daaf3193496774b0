#pragma once

#include "adapters/sqlite/reader_pool.hpp"
#include "adapters/sqlite/writer.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::sqlite {

class Users final : public UserLedger {
  public:
    Users(Writer& writer, ReaderPool& readers) : writer_(writer), readers_(readers) {}

    Task<Outcome<Created>> add(Account account, std::optional<Receipt> receipt) override;
    Task<std::optional<Account>> find_by_phone(std::string phone) override;
    Task<bool> set_password_hash(UserId id, std::string hash) override;
    Task<bool> set_role(UserId id, Role role) override;
    Task<Outcome<Done>> mint(std::vector<MintedBuyer> buyers) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
};

}  // namespace sluice::sqlite
