#include "adapters/sql/ledgers/trail.hpp"

#include <limits>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/trail_chain.hpp"
#include "adapters/sql/trail_rows.hpp"

namespace sluice::ledgers {

Task<std::vector<TrailLedger::Entry>> Trail::list(std::optional<DeedId> before, std::size_t limit) {
    const auto below = before.value_or(DeedId{std::numeric_limits<std::int64_t>::max()});
    return readers_.read<std::vector<Entry>>([below, limit](Database& database) {
        return database.rows<TrailEntryRow>(sql::list_deeds, below, limit).to_vector(to_entry);
    });
}

Task<Done> Trail::add(Deed deed) {
    return writer_.write<Done>([deed = std::move(deed)](Database& database) {
        add_deed(database, deed);
        return Done{};
    });
}

void add_deed(Database& database, const Deed& deed) {
    database.run(sql::add_deed, to_row(deed));
}

std::vector<std::string> broken_links(Database& database) {
    TrailWalk walk;
    for (auto& link : database.rows<TrailLinkRow>(sql::walk_chain)) walk.add(std::move(link));
    for (const auto id : database.rows<DeedId>(sql::unchained_deeds)) walk.add_unchained(id);
    return walk.broken();
}

}  // namespace sluice::ledgers
