#pragma once

#include "app/limit_editor.hpp"
#include "config/config.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The rate limits in force, and how an operator changes them.
class AdminLimits {
  public:
    AdminLimits(LimitEditor& editor, const Config::Limits& config)
        : editor_(editor), config_(config) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending change(http::Exchange& exchange);

  private:
    Task<> carry_out(http::Exchange& exchange, std::vector<LimitEditor::Wish> wishes);

    LimitEditor& editor_;
    const Config::Limits& config_;
};

}  // namespace sluice::api
