#pragma once

#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "ports/settings_ledger.hpp"

namespace sluice::sqlite {

class Settings final : public SettingsLedger {
  public:
    Settings(Writer& writer, ReaderPool& readers) : writer_(writer), readers_(readers) {}

    Task<std::vector<Setting>> load() override;
    Task<Done> change(std::vector<Change> changes, Deed deed) override;
    Task<TicketKey> ticket_key(TicketKey offered) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
};

}  // namespace sluice::sqlite
