#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/settings_ledger.hpp"

namespace sluice::ledgers {

class Settings final : public SettingsLedger {
  public:
    Settings(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Setting>> load() override;
    Task<Done> change(std::vector<Change> changes, Deed deed) override;
    Task<TicketKey> ticket_key(TicketKey offered) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
