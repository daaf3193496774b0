#include "main/shared_copies.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "app/catalog/catalog.hpp"
#include "base/nap.hpp"
#include "base/run_to_end.hpp"
#include "domain/deed_details.hpp"
#include "main/broker_look.hpp"
#include "main/command_line.hpp"
#include "main/mariadb_address.hpp"
#include "main/rabbitmq_tier.hpp"
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

HandOffAudit::CountMessages count_in_broker(const Config& config) {
    if (config.broker.kind != BrokerKind::rabbitmq) return {};
    return [options = rabbitmq_options(config)] { return count_messages(options); };
}

Task<> wait_for_writers() {
    Nap nap;
    co_await nap.sleep(std::chrono::seconds{5});
}

}  // namespace

SharedCopies::SharedCopies(const Config& config, const Clock& clock)
    : clock_(clock),
      ledger_(small_ledger(config, clock)),
      redis_(config.hot),
      audit_(
          redis_.gate(), [this](SaleId sale) { return redis_.gate().open_claims(sale); },
          ledger_.orders()),
      hand_offs_(redis_.gate(), ledger_.orders(), ledger_.parked(), count_in_broker(config),
                 wait_for_writers, clock),
      ids_(make_id_source(random_)) {}

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
    const boost::json::object before{{"difference", verdict.detail}};
    write_deed("hot_copy.fill", verdict.sale.text(), boost::json::serialize(before), "");
    return true;
}

HandOffs SharedCopies::look_at_hand_offs(std::optional<SaleId> sale) {
    return run_to_end(hand_offs_.look(sale));
}

std::vector<Ticket> SharedCopies::prepare(std::vector<Ticket> lost) {
    const auto tickets = ledger_.open_tickets(clock_, ids_, [](Timestamp) {});
    const auto noted = run_to_end(tickets->prepare(lost));
    std::vector<Ticket> failed;
    for (std::size_t i = 0; i < lost.size(); ++i) {
        if (noted[i])
            write_deed("lost_ticket.prepare", lost[i].id.text(), deed_details_of_lost_ticket(),
                       deed_details(noted[i]->own.state));
        else
            failed.push_back(lost[i]);
    }
    return failed;
}

void SharedCopies::write_deed(const char* action, const std::string& subject,
                              const std::string& before, const std::string& after) {
    run_to_end(
        ledger_.trail().add(CommandLine(clock_, ids_).make_deed(action, subject, before, after)));
}

}  // namespace sluice
