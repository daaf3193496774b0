#include "api/shop/funnel_recorder.hpp"

#include <algorithm>

#include "api/routes.hpp"
#include "gate/id_in_path.hpp"

namespace sluice::api {
namespace {

using Step = FunnelCounts::Step;

constexpr std::optional<Step> step_of(std::string_view route) {
    if (route == "note_visit") return Step::visit;
    if (route == "create_challenge") return Step::challenge;
    if (route == "create_pass") return Step::pass;
    if (route == "buy") return Step::attempt;
    return std::nullopt;
}

constexpr auto kSteps = [] {
    std::array<std::optional<Step>, kRoutes.size()> steps;
    std::ranges::transform(kRoutes, steps.begin(),
                           [](const Route& route) { return step_of(route.name); });
    return steps;
}();
static_assert(std::ranges::count_if(kSteps, [](auto step) { return step.has_value(); }) ==
                  FunnelCounts::kSteps,
              "each step has its route");

}  // namespace

void FunnelRecorder::record(unsigned thread, const http::Exchange& exchange,
                            std::chrono::nanoseconds took) {
    if (exchange.route_index >= kSteps.size()) return;
    const auto step = kSteps[exchange.route_index];
    if (!step) return;
    const auto sale = gate::find_id_in_path<SaleId>(exchange);
    const auto place = sale ? place_of(*sale) : std::nullopt;
    if (!place) return;
    const auto& problem = exchange.response.problem;
    if (!problem || *step == Step::attempt) counts_.count(thread, *place, *step);
    // A visit that was refused because its address was too fast is not counted for the sale.
    if (problem && *step != Step::visit)
        counts_.count_refusal(thread, *place, static_cast<std::size_t>(*problem));
    if (*step == Step::attempt) counts_.count_latency(thread, *place, took);
}

std::optional<std::size_t> FunnelRecorder::place_of(SaleId sale) {
    if (const auto place = counts_.find(sale.value)) return place;
    return catalog_.sale(sale) ? counts_.take(sale.value) : std::nullopt;
}

}  // namespace sluice::api
