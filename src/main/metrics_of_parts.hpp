#pragma once

#include <string>
#include <vector>

#include "adapters/sqlite/ledger.hpp"
#include "api/stream_counts.hpp"
#include "app/challenge_desk.hpp"
#include "gate/admission.hpp"
#include "observe/metrics.hpp"
#include "ports/order_intake.hpp"

namespace sluice {

// Labels: of requests, the routes and then "none"; of refusals, all codes.
std::vector<std::string> route_names();
std::vector<std::string> code_names();

// What each part shows of itself on the metrics page. The parts outlive the page.

void add_build_metric(MetricsPage& page);
void add_ledger_metrics(MetricsPage& page, const sqlite::Ledger& ledger);
void add_gate_metrics(MetricsPage& page, const gate::Admission& admission,
                      const OrderIntake& intake, const ChallengeDesk& challenges);
void add_stream_metrics(MetricsPage& page, const api::StreamCounts& counts);

}  // namespace sluice
