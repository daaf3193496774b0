#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/second_factor_ledger.hpp"

namespace sluice::ledgers {

class SecondFactorBook final : public SecondFactorLedger {
  public:
    SecondFactorBook(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::optional<SecondFactor>> find(UserId user) override;
    Task<bool> begin(UserId user, SealedSecret secret) override;
    Task<bool> confirm(Confirmation confirmation) override;
    Task<bool> use_step(UserId user, std::int64_t step) override;
    Task<bool> use_recovery_code(UserId user, RecoveryDigest digest) override;
    Task<bool> remove(UserId user, Deed deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
