#include "assembly/node_office.hpp"

#include <prometheus/metric_family.h>

namespace sluice {
namespace {

double count_requests(const RequestMetrics& metrics) {
    const auto families = metrics.Collect();
    double all = 0;
    for (const auto& metric : families.front().metric) all += metric.counter.value;
    return all;
}

}  // namespace

NodeOffice::NodeOffice(HotTier& hot, const HttpFront& front, const HotCopyKeeper& hot_copies,
                       const Roles& roles, const Clock& clock)
    : hot_(hot),
      front_(front),
      hot_copies_(hot_copies),
      roles_(roles.names()),
      started_at_(clock.now()),
      api_(hot.nodes()) {}

void NodeOffice::bind(const Bind& bind) {
    bind("list_nodes", to(api_, &api::AdminNodes::list));
}

void NodeOffice::employ(Keeper& keeper) {
    keeper.employ("node_sign", NodeDirectory::kPace, [this] { return give_sign(); });
}

Task<> NodeOffice::give_sign() {
    NodeSign sign{.part = 0,
                  .url = front_.server.shop_url(),
                  .roles = roles_,
                  .version = SLUICE_VERSION,
                  .started_at = started_at_,
                  .is_on_duty = hot_.is_on_duty(),
                  .requests_per_second = requests_per_second(),
                  .connections = static_cast<std::int64_t>(front_.server.connections()),
                  .copies = static_cast<std::int64_t>(hot_copies_.copies()),
                  .cold = static_cast<std::int64_t>(hot_copies_.cold()),
                  .drifting = static_cast<std::int64_t>(hot_copies_.drifting()),
                  .drifts = static_cast<std::int64_t>(hot_copies_.drifts())};
    co_await hot_.nodes().give_sign(std::move(sign));
}

double NodeOffice::requests_per_second() {
    const auto now = std::chrono::steady_clock::now();
    const auto requests = count_requests(front_.request_metrics);
    const std::chrono::duration<double> passed = now - counted_at_;
    const auto rate = passed.count() > 0 ? (requests - requests_) / passed.count() : 0.0;
    requests_ = requests;
    counted_at_ = now;
    return rate;
}

}  // namespace sluice
