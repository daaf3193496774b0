#include "workers/hot_copy_difference.hpp"

#include <string_view>
#include <unordered_map>

namespace sluice {
namespace {

constexpr std::size_t kNamed = 3;

/// Gathers differences: the first few as text, the rest as a number.
class Differences {
  public:
    void add(std::string_view what, std::int64_t hot, std::int64_t ledger) {
        if (hot == ledger || ++count_ > kNamed) return;
        if (!text_.empty()) text_ += "; ";
        text_ += what;
        text_ += " is " + std::to_string(hot) + ", in the ledger " + std::to_string(ledger);
    }
    void add(UserId buyer, std::int64_t hot, std::int64_t ledger) {
        if (hot != ledger) add("buyer " + buyer.text(), hot, ledger);
    }
    std::optional<std::string> text() const {
        if (count_ == 0) return std::nullopt;
        if (count_ <= kNamed) return text_;
        return text_ + "; and " + std::to_string(count_ - kNamed) + " more";
    }

  private:
    std::string text_;
    std::size_t count_ = 0;
};

}  // namespace

std::optional<std::string> difference(const StockGate::Snapshot& hot,
                                      const OrderLedger::HotCopy& ledger) {
    Differences differences;
    differences.add("epoch", hot.epoch, ledger.filling.epoch);
    differences.add("left", hot.left, ledger.left);
    std::unordered_map<UserId, std::int64_t> units(hot.holdings.begin(), hot.holdings.end());
    for (const auto& [buyer, held] : ledger.holdings) {
        const auto at = units.find(buyer);
        differences.add(buyer, at == units.end() ? 0 : at->second, held);
        if (at != units.end()) units.erase(at);
    }
    for (const auto& [buyer, held] : units) differences.add(buyer, held, 0);
    return differences.text();
}

}  // namespace sluice
