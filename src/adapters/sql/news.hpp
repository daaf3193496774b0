#pragma once

#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "ports/news.hpp"

namespace sluice::sql {

/// Reports what a commit has changed, complete and as the commit left it, in the order of the
/// commits and before the caller who made the change is answered. So whoever learns of an effect
/// finds it shown. Sales whose stock or terms changed are always reported; tickets and orders only
/// for buyers for whom a listener wants them.
class News {
  public:
    using Edition = NewsEdition;
    using Listener = std::function<void(const Edition&)>;
    using Wants = std::function<bool(UserId)>;

    /// Both are called on a thread that writes and must not block, throw or call this object.
    /// `wants` is asked for every order; without `wants` nobody's tickets and orders are reported.
    /// The former callbacks are never called again once this has returned.
    void listen(Listener listener, Wants wants = {});

    /// As above; called after each commit, whatever is in it, after its news.
    void listen_for_commits(std::function<void()> callback);

    // On the thread that writes. An engine may have several: a note belongs to the transaction of
    // the calling thread.

    /// Whether news for that buyer is needed.
    bool wants(UserId buyer);

    /// To be called as the last step of a write, because a note is not undone with the write.
    void note(Sale sale);
    void note(BuyerNews news);

    /// The transaction has ended. The notes of a transaction that was rolled back are dropped; its
    /// jobs make them again when they are run again.
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
