#include "adapters/sql/ledgers/trail.hpp"

#include <algorithm>
#include <limits>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/trail_chain.hpp"
#include "adapters/sql/trail_rows.hpp"
#include "base/id_source.hpp"

namespace sluice::ledgers {

namespace {

/// Ids contain the instant at which they were made, so a period is a range of ids.
struct Stretch {
    DeedId from{1};
    DeedId below{std::numeric_limits<std::int64_t>::max()};
};

Stretch stretch_of(const TrailLedger::Wanted& wanted) {
    Stretch stretch;
    if (wanted.from) stretch.from.value = IdSource::first_at(*wanted.from);
    if (wanted.until) stretch.below.value = IdSource::first_at(*wanted.until);
    if (wanted.before) stretch.below = std::min(stretch.below, *wanted.before);
    return stretch;
}

}  // namespace

Task<std::vector<TrailLedger::Entry>> Trail::list(Wanted wanted, std::size_t limit) {
    return readers_.read<std::vector<Entry>>([wanted = std::move(wanted),
                                              limit](Database& database) {
        const auto [from, below] = stretch_of(wanted);
        const auto kind = wanted.action ? std::optional(*wanted.action + ".") : std::nullopt;
        return database
            .rows<TrailEntryRow>(sql::list_deeds, from, below, limit, wanted.action, kind,
                                 wanted.actor, wanted.subject, std::int64_t{wanted.by_command_line})
            .to_vector(to_entry);
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

std::vector<Notice> broken_links(Database& database) {
    TrailWalk walk;
    for (auto& link : database.rows<TrailLinkRow>(sql::walk_chain)) walk.add(std::move(link));
    for (const auto id : database.rows<DeedId>(sql::unchained_deeds)) walk.add_unchained(id);
    return walk.broken();
}

}  // namespace sluice::ledgers
