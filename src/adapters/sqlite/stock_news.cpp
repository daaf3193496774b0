#include "adapters/sqlite/stock_news.hpp"

#include <utility>

namespace sluice::sqlite {

void StockNews::listen(Listener listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
}

void StockNews::conclude(bool committed) {
    if (pending_.empty()) return;
    if (committed) {
        const std::lock_guard lock(mutex_);
        if (listener_) listener_(pending_);
    }
    pending_.clear();
}

}  // namespace sluice::sqlite
