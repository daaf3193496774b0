#pragma once

#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "ports/news.hpp"

namespace sluice::sql {

/// Tells what a commit has changed, whole and as it left it, in the order of the commits and before
/// the caller who changed it is told: whoever hears of an effect finds it shown. Sales whose stock
/// or terms changed are always told; tickets and orders only of buyers whom somebody listens for.
class News {
  public:
    using Edition = NewsEdition;
    using Listener = std::function<void(const Edition&)>;
    using Wants = std::function<bool(UserId)>;

    /// Both are called on a thread that writes and must not block, throw or call this; `wants` is
    /// asked for every order, and no `wants` means for nobody. Those before are never called again
    /// once this has returned.
    void listen(Listener listener, Wants wants = {});

    /// As above; called after each commit, whatever is in it, when its news is out.
    void listen_for_commits(std::function<void()> callback);

    // On the thread that writes. An engine may have several: what is noted belongs to the
    // transaction of the calling thread.

    /// Whether news of that buyer is worth making.
    bool wants(UserId buyer);

    /// The last thing a write does: what it notes is not taken back with it.
    void note(Sale sale);
    void note(BuyerNews news);

    /// The transaction has ended. What was noted of one that was rolled back is nobody's news; its
    /// jobs note it again when they are run again.
    void conclude(bool committed);

  private:
    struct Slate {
        std::vector<Sale> sales;
        std::vector<BuyerNews> buyers;
    };

    Slate take_slate();
    void tell(const Slate& slate);

    Mutex slates_mutex_;
    std::map<std::thread::id, Slate> slates_ GUARDED_BY(slates_mutex_);
    Mutex mutex_;
    Listener listener_ GUARDED_BY(mutex_);
    Wants wants_ GUARDED_BY(mutex_);
    Mutex commit_mutex_;
    std::function<void()> on_commit_ GUARDED_BY(commit_mutex_);
};

}  // namespace sluice::sql
