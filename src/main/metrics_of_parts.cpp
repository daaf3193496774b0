#include "main/metrics_of_parts.hpp"

#include "api/routes.hpp"
#include "http/web_socket.hpp"

namespace sluice {

std::vector<std::string> route_names() {
    std::vector<std::string> names;
    for (const auto& route : api::kRoutes) names.emplace_back(route.name);
    names.emplace_back("none");
    return names;
}

std::vector<std::string> code_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < http::kCodes; ++i)
        names.emplace_back(http::name_of(static_cast<http::Code>(i)));
    return names;
}

void add_build_metric(MetricsPage& page) {
    page.add_gauge("sluice_build_info", "Always 1; its labels say which program this is.",
                   [] { return 1.0; },
                   {{"version", SLUICE_VERSION}, {"compiler", "g++ " __VERSION__}});
}

void add_ledger_metrics(MetricsPage& page, const sqlite::Ledger& ledger) {
    page.add_gauge("sluice_ledger_waiting_writes", "Writes that wait for the next transaction.",
                   [&] { return static_cast<double>(ledger.waiting_writes()); });
    page.add_gauge("sluice_ledger_wal_bytes",
                   "Size of the database's write-ahead log; it grows while somebody reads.",
                   [&] { return static_cast<double>(ledger.log_bytes()); });
    page.add_counter("sluice_ledger_reads_total", "Reads that the database was asked for.",
                     [&] { return static_cast<double>(ledger.reads()); });
    page.add_counter("sluice_ledger_commits_total", "Transactions written and synced.",
                     [&] { return static_cast<double>(ledger.commits()); });
}

void add_gate_metrics(MetricsPage& page, const Admission& admission, const OrderIntake& intake,
                      const ChallengeDesk& challenges) {
    page.add_gauge("sluice_purchase_backlog", "Purchases that wait for their commit.",
                   [&] { return static_cast<double>(intake.backlog()); });
    page.add_gauge("sluice_challenge_waiting_drawings", "Formulas that wait to be drawn.",
                   [&] { return static_cast<double>(challenges.waiting_drawings()); });
    page.add_gauge("sluice_admission_rate",
                   "Purchases a second that the ledger commits when it is busy, as measured.",
                   [&] { return admission.rate(); });
    page.add_gauge("sluice_admission_window", "Purchases that may be under way at once.",
                   [&] { return static_cast<double>(admission.window()); });
    page.add_counter("sluice_admission_refused_total",
                     "Purchases turned away because as many were under way as may be.",
                     [&] { return static_cast<double>(admission.refused()); });
}

void add_hot_copy_metrics(MetricsPage& page, const HotCopyKeeper& hot_copies) {
    page.add_gauge("sluice_hot_copies", "Sales whose stock is in memory.",
                   [&] { return static_cast<double>(hot_copies.copies()); });
    page.add_gauge("sluice_cold_sales",
                   "Sales that have not ended and cannot sell, since their hot copy is missing.",
                   [&] { return static_cast<double>(hot_copies.cold()); });
    page.add_gauge("sluice_hot_copies_drifting",
                   "Hot copies that differ from the ledger and have not been filled anew yet.",
                   [&] { return static_cast<double>(hot_copies.drifting()); });
    page.add_counter("sluice_hot_copy_drift_total",
                     "Times that a hot copy at rest was found to differ from the ledger.",
                     [&] { return static_cast<double>(hot_copies.drifts()); });
}

void add_stream_metrics(MetricsPage& page, const api::StreamCounts& counts) {
    page.add_gauge("sluice_streams_open", "Streams that are open.",
                   [&] { return static_cast<double>(counts.open()); });
    page.add_counter("sluice_stream_messages_total", "Messages on streams, by who sends them.",
                     [&] { return static_cast<double>(counts.sent); }, {{"from", "server"}});
    page.add_counter("sluice_stream_messages_total", "Messages on streams, by who sends them.",
                     [&] { return static_cast<double>(counts.heard); }, {{"from", "client"}});
    for (std::size_t i = 0; i < http::kEndings.size(); ++i)
        page.add_counter("sluice_streams_ended_total", "Streams that have ended, by the reason.",
                         [&, i] { return static_cast<double>(counts.ended[i]); },
                         {{"reason", std::string(http::kEndings[i])}});
}

}  // namespace sluice
