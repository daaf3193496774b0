#include "adapters/sqlite/ledgers/trail.hpp"

#include <limits>

#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {

Task<std::vector<TrailLedger::Entry>> Trail::list(std::optional<DeedId> before, std::size_t limit) {
    const auto below = before.value_or(DeedId{std::numeric_limits<std::int64_t>::max()});
    return readers_.read<std::vector<Entry>>([below, limit](Database& database) {
        std::vector<Entry> entries;
        auto rows = database.query(sql::list_deeds, below, limit);
        while (rows.step())
            entries.push_back({.deed = {.id = rows.column<DeedId>(0),
                                        .at = rows.column<Timestamp>(1),
                                        .actor = rows.column<std::optional<UserId>>(2),
                                        .os_user = rows.column<std::optional<std::string>>(3),
                                        .address = rows.column<std::string>(4),
                                        .request_id = rows.column<std::string>(5),
                                        .action = rows.column<std::string>(6),
                                        .subject = rows.column<std::string>(7),
                                        .before = rows.column<std::string>(8),
                                        .after = rows.column<std::string>(9)},
                               .actor_name = rows.column<std::string>(10)});
        return entries;
    });
}

Task<Done> Trail::add(Deed deed) {
    return writer_.write<Done>([deed = std::move(deed)](Database& database) {
        add_deed(database, deed);
        return Done{};
    });
}

void add_deed(Database& database, const Deed& deed) {
    database.run(sql::add_deed, deed.id, deed.at, deed.actor, deed.os_user, deed.address,
                 deed.request_id, deed.action, deed.subject, deed.before, deed.after);
}

}  // namespace sluice::sqlite
