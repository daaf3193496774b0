#include "adapters/sql/news.hpp"

#include <utility>

namespace sluice::sql {

void News::listen(Listener listener, Wants wants) {
    const MutexLock lock(mutex_);
    listener_ = std::move(listener);
    wants_ = std::move(wants);
}

bool News::wants(UserId buyer) {
    const MutexLock lock(mutex_);
    return wants_ && wants_(buyer);
}

void News::listen_for_commits(std::function<void()> callback) {
    const MutexLock lock(commit_mutex_);
    on_commit_ = std::move(callback);
}

void News::note(Sale sale) {
    const MutexLock lock(slates_mutex_);
    slates_[std::this_thread::get_id()].sales.push_back(std::move(sale));
}

void News::note(BuyerNews news) {
    const MutexLock lock(slates_mutex_);
    slates_[std::this_thread::get_id()].buyers.push_back(std::move(news));
}

void News::conclude(bool committed) {
    const auto slate = take_slate();
    if (committed) tell(slate);
}

News::Slate News::take_slate() {
    const MutexLock lock(slates_mutex_);
    return std::exchange(slates_[std::this_thread::get_id()], {});
}

void News::tell(const Slate& slate) {
    if (!slate.sales.empty() || !slate.buyers.empty()) {
        const MutexLock lock(mutex_);
        if (listener_) listener_({.sales = slate.sales, .buyers = slate.buyers});
    }
    const MutexLock lock(commit_mutex_);
    if (on_commit_) on_commit_();
}

}  // namespace sluice::sql
