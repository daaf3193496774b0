#include "assembly/monitoring.hpp"

namespace sluice {

using namespace std::chrono_literals;

Monitoring::Monitoring(const Parts& parts)
    : ledger_(parts.ledger),
      hot_(parts.hot),
      broker_(parts.broker),
      server_(parts.server),
      hot_copies_(parts.line.claims.hot_copies),
      takes_payments_(!parts.provider.empty()),
      stakes_(parts.line.desk, *parts.line.intake, parts.catalog, parts.ledgers, parts.provider),
      clock_watch_(
          parts.clock,
          {.is_relied_on = [&desk = parts.line.desk] { return desk.has_issued(); },
           .stakes = [this](Timestamp one, Timestamp other) { return stakes_.between(one, other); },
           .has_found_holds = parts.has_found_holds},
          parts.log),
      insiders_(parts.config, parts.tokens, parts.sessions, parts.clock),
      api_([this] { return check_up(); }, metrics, insiders_) {
    metrics.add_gauge("sluice_build_info", "Always 1; its labels say which program this is.",
                      [] { return 1.0; },
                      {{"version", SLUICE_VERSION}, {"compiler", "g++ " __VERSION__}});
    metrics.add_gauge("sluice_node_info",
                      "Always 1; its label says which node's figures these are.",
                      [] { return 1.0; }, {{"id", std::to_string(parts.ledger.node())}});
    metrics.add(process_metrics_);
    metrics.add_counter("sluice_log_lines_lost_total",
                        "Lines of the log that could not be written.",
                        [&log = parts.log] { return static_cast<double>(log.lost()); });
    clock_watch_.add_metrics(metrics);
}

void Monitoring::bind(const Bind& bind) {
    bind("livez", to(api_, &api::MachineRoom::livez));
    bind("readyz", to(api_, &api::MachineRoom::readyz));
    bind("metrics", to(api_, &api::MachineRoom::metrics));
    bind("openapi", to(api_, &api::MachineRoom::openapi));
}

void Monitoring::employ(Keeper& keeper) {
    keeper.employ("clock_watch", 200ms, [this] { return clock_watch_.look(); });
}

std::vector<api::PartHealth> Monitoring::check_up() const {
    auto parts = ledger_.health();
    for (auto& part : hot_.health()) parts.push_back(std::move(part));
    if (broker_)
        for (auto& part : broker_->health()) parts.push_back(std::move(part));
    // While no sale may open, only the ledger's reason is reported: the hot copies are missing on
    // purpose.
    auto cold = ledger_.loss() ? std::vector<Notice>{} : hot_copies_.complaints();
    parts.push_back({"hot_copies", cold.empty(), std::move(cold)});
    if (!takes_payments_) parts.push_back({"payments", true, {{NoticeRule::payments_off}}});
    parts.push_back({"clock", true, clock_watch_.complaints()});
    const bool draining = server_.draining();
    parts.push_back({"server", !draining, {}});
    if (draining) parts.back().notices.emplace_back(NoticeRule::draining);
    return parts;
}

}  // namespace sluice
