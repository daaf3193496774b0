#include "adapters/sql/ledgers/hot_outbox.hpp"

#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"

namespace sluice::ledgers {

HotOutboxWriter::HotOutboxWriter(Database& database, Timestamp now)
    : database_(database), now_(now), add_(database.repeat(sql::add_hot_change)) {}

void HotOutboxWriter::add(SaleId sale, HotChange change) {
    const auto [last, is_first] = last_.try_emplace(sale);
    if (is_first) last->second = database_.value<std::int64_t>(sql::find_hot_seq, sale);
    add_.run(sale, ++last->second, change.delta_left, change.buyer, change.delta_units, now_);
}

void HotOutboxWriter::finish() {
    for (const auto& [sale, last] : last_)
        CHECK(database_.run(sql::note_hot_seq, sale, last) == 1, "a change is one of a sale");
    last_.clear();
}

void add_hot_change(Database& database, SaleId sale, HotChange change, Timestamp now) {
    HotOutboxWriter outbox(database, now);
    outbox.add(sale, change);
    outbox.finish();
}

std::vector<HotChange> list_hot_changes(Database& database, SaleId sale, std::int64_t after,
                                        std::size_t limit) {
    return database.rows<HotChangeRow>(sql::list_hot_changes, sale, after, limit)
        .to_vector(to_hot_change);
}

std::size_t prune_hot_changes(Database& database, Timestamp older_than, std::size_t limit) {
    return static_cast<std::size_t>(database.run(sql::prune_hot_changes, older_than, limit));
}

}  // namespace sluice::ledgers
