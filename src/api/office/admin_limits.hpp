#pragma once

#include "app/office/limit_editor.hpp"
#include "domain/limit_scope.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The rate limits in force, and how an operator changes them.
class AdminLimits {
  public:
    AdminLimits(LimitEditor& editor, const LimitScope& scope) : editor_(editor), scope_(scope) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending change(http::Exchange& exchange);

  private:
    Task<> carry_out(http::Exchange& exchange, std::vector<LimitEditor::Wish> wishes);

    LimitEditor& editor_;
    const LimitScope& scope_;
};

}  // namespace sluice::api
