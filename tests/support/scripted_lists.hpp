#pragma once

#include <algorithm>
#include <functional>

#include "base/outage.hpp"
#include "ports/buyer_list_ledger.hpp"

namespace sluice::testing_support {

/// One list for all sales, which may be away. Nothing of it changes by itself.
class ScriptedLists final : public BuyerListLedger {
  public:
    Task<Outcome<Changed>> change(Change) override { co_return refuse(Reason::not_found); }
    Task<Shown> show(SaleId) override { co_return Shown{}; }
    Task<bool> names(SaleId, UserId user, PhoneForm) override {
        ++questions;
        if (is_away) throw Outage("away");
        co_return is_named(user);
    }
    Task<Page> page(Wanted) override { co_return Page{}; }
    Task<std::size_t> prune(Timestamp before, std::size_t limit) override {
        over_before = before;
        const auto removed = std::min(old_rows, limit);
        old_rows -= removed;
        co_return removed;
    }

    std::function<bool(UserId)> is_named = [](UserId) { return false; };
    bool is_away = false;
    int questions = 0;
    std::size_t old_rows = 0;
    Timestamp over_before{};
};

}  // namespace sluice::testing_support
