#pragma once

#include "adapters/sqlite/engine/news.hpp"
#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::sqlite {

/// `on_hold`: called after a commit with new orders, when the first of them is due. It must not
/// block or throw.
class Tickets final : public TicketLedger {
  public:
    Tickets(Writer& writer, ReaderPool& readers, News& news, const Clock& clock, IdSource& ids,
            std::function<void(Timestamp)> on_hold)
        : writer_(writer),
          readers_(readers),
          news_(news),
          clock_(clock),
          ids_(ids),
          on_hold_(std::move(on_hold)) {}

    Task<std::vector<Written>> write(std::vector<Ticket> tickets) override;
    Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) override;
    Task<std::vector<Ticket>> prepared(std::size_t most) override;

  private:
    Writer& writer_;
    ReaderPool& readers_;
    News& news_;
    const Clock& clock_;
    IdSource& ids_;
    const std::function<void(Timestamp)> on_hold_;
};

}  // namespace sluice::sqlite
