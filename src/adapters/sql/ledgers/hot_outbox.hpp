#pragma once

#include <map>
#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "domain/hot_change.hpp"

namespace sluice::ledgers {

/// Writes rows of the hot outbox, inside a transaction that it does not end.
class HotOutboxWriter {
  public:
    HotOutboxWriter(Database& database, Timestamp now);

    /// Gives the row the sale's next number.
    void add(SaleId sale, HotChange change);

    /// Stores the last number of each sale, once for all its rows. Until then nothing else may add
    /// rows or read the sales.
    void finish();

  private:
    Database& database_;
    const Timestamp now_;
    Repeated add_;
    std::map<SaleId, std::int64_t> last_;  // the number of the last row
};

/// For the only row of its transaction in that sale.
void add_hot_change(Database& database, SaleId sale, HotChange change, Timestamp now);

std::vector<HotChange> list_hot_changes(Database&, SaleId, std::int64_t after, std::size_t limit);
std::size_t prune_hot_changes(Database&, Timestamp older_than, std::size_t limit);

}  // namespace sluice::ledgers
