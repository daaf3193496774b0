#pragma once

#include <functional>
#include <string>
#include <vector>

#include "http/representation.hpp"
#include "observe/metrics.hpp"

namespace sluice::api {

/// How one thing that we depend on is doing.
struct PartHealth {
    std::string name;
    bool ready = true;
    std::string detail;
};

/// Liveness, readiness, metrics, and the API's own description.
class MachineRoom {
  public:
    using CheckUp = std::function<std::vector<PartHealth>()>;

    MachineRoom(CheckUp check_up, MetricsPage& metrics);

    http::Pending livez(http::Exchange& exchange);
    http::Pending readyz(http::Exchange& exchange);
    http::Pending metrics(http::Exchange& exchange);
    http::Pending openapi(http::Exchange& exchange);

  private:
    const CheckUp check_up_;
    MetricsPage& metrics_;
    http::Representation document_;
};

}  // namespace sluice::api
