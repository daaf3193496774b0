#include "adapters/sqlite/ledgers/hot_outbox.hpp"

#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {

HotOutbox::HotOutbox(Database& database, Timestamp now)
    : database_(database), now_(now), add_(database.repeat(sql::add_hot_change)) {}

void HotOutbox::add(SaleId sale, HotChange change) {
    const auto [last, is_first] = last_.try_emplace(sale);
    if (is_first) {
        auto row = database_.query(sql::find_hot_seq, sale);
        CHECK(row.step(), "a change is one of a sale");
        last->second = row.column<std::int64_t>(0);
    }
    add_.run(sale, ++last->second, change.delta_left, change.buyer, change.delta_units, now_);
}

void HotOutbox::finish() {
    for (const auto& [sale, last] : last_)
        CHECK(database_.run(sql::note_hot_seq, sale, last) == 1, "a change is one of a sale");
    last_.clear();
}

void add_hot_change(Database& database, SaleId sale, HotChange change, Timestamp now) {
    HotOutbox outbox(database, now);
    outbox.add(sale, change);
    outbox.finish();
}

std::vector<HotChange> list_hot_changes(Database& database, SaleId sale, std::int64_t after,
                                        std::size_t limit) {
    std::vector<HotChange> changes;
    auto rows = database.query(sql::list_hot_changes, sale, after, limit);
    while (rows.step())
        changes.push_back({.seq = rows.column<std::int64_t>(0),
                           .delta_left = rows.column<std::int64_t>(1),
                           .buyer = rows.column<std::optional<UserId>>(2),
                           .delta_units = rows.column<std::int64_t>(3)});
    return changes;
}

std::size_t prune_hot_changes(Database& database, Timestamp older_than, std::size_t limit) {
    return static_cast<std::size_t>(database.run(sql::prune_hot_changes, older_than, limit));
}

}  // namespace sluice::sqlite
