#pragma once

#include <vector>

#include "adapters/sqlite/engine/connection.hpp"
#include "domain/hot_change.hpp"

namespace sluice::sqlite {

/// Writes rows of the hot outbox, inside a transaction that it does not end.
class HotOutbox {
  public:
    HotOutbox(Database& database, Timestamp now);

    /// Gives the row the sale's next number.
    void add(SaleId sale, HotChange change);

  private:
    const Timestamp now_;
    Repeated count_;
    Repeated add_;
};

std::vector<HotChange> list_hot_changes(Database&, SaleId, std::int64_t after, std::size_t limit);
std::size_t prune_hot_changes(Database&, Timestamp older_than, std::size_t limit);

}  // namespace sluice::sqlite
