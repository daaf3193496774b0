#include "main/shared_copies.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/system/system_random.hpp"
#include "app/catalog.hpp"
#include "base/run_to_end.hpp"
#include "main/command_line.hpp"
#include "main/mariadb_address.hpp"
#include "workers/hot_copy_keeper.hpp"

namespace sluice {
namespace {

mariadb::LedgerOptions small_ledger(const Config& config, const Clock& clock) {
    return {.address = mariadb_address(config),
            .batch = config.ledger.batch,
            .backlog = config.ledger.backlog,
            .writers = 1,
            .readers = 1,
            .clock = &clock};
}

}  // namespace

SharedCopies::SharedCopies(const Config& config, const Clock& clock)
    : clock_(clock),
      ledger_(small_ledger(config, clock)),
      redis_(config.hot),
      audit_(
          redis_.gate(), [this](SaleId sale) { return redis_.gate().open_claims(sale); },
          ledger_.orders()) {}

std::vector<HotCopyVerdict> SharedCopies::look(std::optional<SaleId> sale) {
    const auto live = live_sales();
    if (!sale) return run_to_end(audit_.look_at_all(live));
    if (!live.contains(*sale) && !run_to_end(redis_.gate().open_copy(*sale))) return {};
    return {run_to_end(audit_.look(*sale))};
}

std::set<SaleId> SharedCopies::live_sales() {
    Catalog catalog(ledger_.catalog());
    run_to_end(catalog.reload());
    const auto now = clock_.now();
    std::set<SaleId> live;
    catalog.visit_sales([&](const std::shared_ptr<const DisplayedSale>& shown) {
        if (closed_because(shown->sale, now) != Reason::ended) live.insert(shown->sale.id);
    });
    return live;
}

bool SharedCopies::repair(const HotCopyVerdict& verdict) {
    Log log(Log::Level::warn, Log::Format::text);
    HotOutbox outbox(redis_.gate(), ledger_.orders(), log);
    HotCopyKeeper keeper(redis_.gate(), ledger_.orders(), outbox, [](const auto&) {}, clock_, log);
    if (!run_to_end(keeper.fill(verdict.sale))) return false;
    SystemRandom random;
    IdSource ids = make_id_source(random);
    const boost::json::object before{{"difference", verdict.detail}};
    run_to_end(ledger_.trail().add(
        CommandLine(clock_, ids)
            .make_deed("hot_copy.fill", verdict.sale.text(), boost::json::serialize(before), "")));
    return true;
}

}  // namespace sluice
