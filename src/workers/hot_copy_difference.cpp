#include "workers/hot_copy_difference.hpp"

#include <unordered_map>
#include <utility>

namespace sluice {
namespace {

constexpr std::size_t kNamed = 3;

/// Gathers differences: the first few as they are, the rest as a number.
class Differences {
  public:
    template <class... Subject>
    void add(NoticeRule rule, std::int64_t hot, std::int64_t ledger, const Subject&... subject) {
        if (hot == ledger || ++count_ > kNamed) return;
        found_.emplace_back(rule, subject..., hot, ledger);
    }
    void add(UserId buyer, std::int64_t hot, std::int64_t ledger) {
        if (hot != ledger) add(NoticeRule::buyer_units_differ, hot, ledger, buyer.text());
    }
    std::vector<Notice> take() && {
        if (count_ > kNamed) found_.emplace_back(NoticeRule::and_more, count_ - kNamed);
        return std::move(found_);
    }

  private:
    std::vector<Notice> found_;
    std::size_t count_ = 0;
};

}  // namespace

std::vector<Notice> find_differences(const StockGate::Snapshot& hot,
                                     const OrderLedger::HotCopy& ledger) {
    Differences differences;
    differences.add(NoticeRule::epoch_differs, hot.epoch, ledger.filling.epoch);
    differences.add(NoticeRule::left_differs, hot.left, ledger.left);
    std::unordered_map<UserId, std::int64_t> units(hot.holdings.begin(), hot.holdings.end());
    for (const auto& [buyer, held] : ledger.holdings) {
        const auto at = units.find(buyer);
        differences.add(buyer, at == units.end() ? 0 : at->second, held);
        if (at != units.end()) units.erase(at);
    }
    for (const auto& [buyer, held] : units) differences.add(buyer, held, 0);
    return std::move(differences).take();
}

}  // namespace sluice
