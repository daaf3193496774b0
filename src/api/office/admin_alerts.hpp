#pragma once

#include "app/alerts/alert_desk.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Where operators are alerted, whether that worked, and the latest alerts.
class AdminAlerts {
  public:
    explicit AdminAlerts(AlertDesk& desk) : desk_(desk) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending test(http::Exchange& exchange);

  private:
    Task<> tell(http::Exchange& exchange, AlertBox& box);

    AlertDesk& desk_;
};

}  // namespace sluice::api
