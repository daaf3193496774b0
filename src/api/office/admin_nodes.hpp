#pragma once

#include "http/exchange.hpp"
#include "ports/node_directory.hpp"

namespace sluice::api {

/// The servers that work together, for operators.
class AdminNodes {
  public:
    explicit AdminNodes(NodeDirectory& nodes) : nodes_(nodes) {}

    http::Pending list(http::Exchange& exchange) { return show(exchange); }

  private:
    Task<> show(http::Exchange& exchange);

    NodeDirectory& nodes_;
};

}  // namespace sluice::api
