#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/sandbox_ledger.hpp"

namespace sluice::ledgers {

class SandboxBooks final : public SandboxLedger {
  public:
    SandboxBooks(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Account> open(Account draft, Timestamp now) override;
    Task<std::optional<Account>> find(std::string ref) override;
    Task<Outcome<Account>> press(std::string ref, bool pays, std::vector<Letter> letters) override;
    Task<Outcome<Done>> refund(std::string key, PaymentId payment, Charge charge,
                               Letter letter) override;
    Task<Post> post(Timestamp now, std::size_t limit) override;
    Task<Done> note_delivered(LetterId id, Timestamp now) override;
    Task<Done> put_off(LetterId id, std::optional<Timestamp> until) override;
    Task<std::size_t> prune(Timestamp before, std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
