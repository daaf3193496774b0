#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/session_ledger.hpp"

namespace sluice::ledgers {

class Sessions final : public SessionLedger {
  public:
    Sessions(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::optional<Session>> add(OpenedSession opened) override;
    Task<std::optional<Session>> find(SessionKey key, Timestamp now) override;
    Task<std::vector<SessionKey>> extend(std::vector<Extension> extensions) override;
    Task<Done> remove(SessionKey key) override;
    Task<std::vector<SessionKey>> keys_of(UserId user) override;
    Task<std::vector<SessionKey>> remove_all(UserId user, std::optional<Deed> deed) override;
    Task<std::size_t> prune(Timestamp now, std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
