#include "adapters/sqlite/engine/news.hpp"

#include <utility>

namespace sluice::sqlite {

void News::listen(Listener listener, Wants wants) {
    const MutexLock lock(mutex_);
    listener_ = std::move(listener);
    wants_ = std::move(wants);
}

bool News::wants(UserId buyer) {
    const MutexLock lock(mutex_);
    return wants_ && wants_(buyer);
}

void News::conclude(bool committed) {
    if (sales_.empty() && buyers_.empty()) return;
    if (committed) {
        const MutexLock lock(mutex_);
        if (listener_) listener_({.sales = sales_, .buyers = buyers_});
    }
    sales_.clear();
    buyers_.clear();
}

}  // namespace sluice::sqlite
