#pragma once

#include <string>
#include <vector>

#include "adapters/sqlite/ledger.hpp"
#include "api/shop/stream_counts.hpp"
#include "app/admission.hpp"
#include "app/challenge_desk.hpp"
#include "observe/metrics.hpp"
#include "ports/order_intake.hpp"
#include "workers/hot_copy_keeper.hpp"

namespace sluice {

// Labels: of requests, the routes and then "none"; of refusals, all codes.
std::vector<std::string> route_names();
std::vector<std::string> code_names();

// What each part shows of itself on the metrics page. The parts outlive the page.

void add_build_metric(MetricsPage& page);
void add_ledger_metrics(MetricsPage& page, const sqlite::Ledger& ledger);
void add_gate_metrics(MetricsPage& page, const Admission& admission, const OrderIntake& intake,
                      const ChallengeDesk& challenges);
void add_hot_copy_metrics(MetricsPage& page, const HotCopyKeeper& hot_copies);
void add_stream_metrics(MetricsPage& page, const api::StreamCounts& counts);

}  // namespace sluice
