#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "ports/news.hpp"

namespace sluice::sqlite {

/// Tells what a commit has changed, whole and as it left it, in the order of the commits and before
/// the caller who changed it is told: whoever hears of an effect finds it shown. Sales whose stock
/// or terms changed are always told; tickets and orders only of buyers whom somebody listens for.
class News {
  public:
    using Edition = NewsEdition;
    using Listener = std::function<void(const Edition&)>;
    using Wants = std::function<bool(UserId)>;

    /// Both are called on the writer's thread and must not block, throw or call this; `wants` is
    /// asked for every order, and no `wants` means for nobody. Those before are never called again
    /// once this has returned.
    void listen(Listener listener, Wants wants = {});

    // On the writer's thread:

    /// Whether news of that buyer is worth making.
    bool wants(UserId buyer);

    /// The last thing a write does: what it notes is not taken back with it.
    void note(Sale sale) { sales_.push_back(std::move(sale)); }
    void note(BuyerNews news) { buyers_.push_back(std::move(news)); }

    void conclude(bool committed);

  private:
    std::vector<Sale> sales_;
    std::vector<BuyerNews> buyers_;
    Mutex mutex_;
    Listener listener_ GUARDED_BY(mutex_);
    Wants wants_ GUARDED_BY(mutex_);
};

}  // namespace sluice::sqlite
