#pragma once

#include <functional>
#include <string>
#include <vector>

#include "domain/notice.hpp"
#include "gate/insiders.hpp"
#include "http/representation.hpp"
#include "observe/metrics.hpp"

namespace sluice::api {

/// The state of one part that we depend on.
struct PartHealth {
    std::string name;
    bool ready = true;
    std::vector<Notice> notices;  // why it is not ready, or what operators should mend
};

/// Liveness, readiness, metrics, and the API's own description. Strangers learn whether the server
/// is alive and ready, and nothing more.
class MachineRoom {
  public:
    using CheckUp = std::function<std::vector<PartHealth>()>;

    MachineRoom(CheckUp check_up, MetricsPage& metrics, const gate::Insiders& insiders);

    http::Pending livez(http::Exchange& exchange);
    http::Pending readyz(http::Exchange& exchange);
    http::Pending metrics(http::Exchange& exchange);
    http::Pending openapi(http::Exchange& exchange);

  private:
    const CheckUp check_up_;
    MetricsPage& metrics_;
    const gate::Insiders& insiders_;
    http::Representation document_;
};

}  // namespace sluice::api
