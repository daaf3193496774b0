#pragma once

#include <map>

#include "adapters/redis/copy_reader.hpp"
#include "adapters/redis/reading_along.hpp"
#include "adapters/redis/sale_views.hpp"

namespace sluice::redis {

/// Follows the logs of all sales, so that this process knows who has claimed, on any node. It needs
/// a client of its own, since it waits at Redis for the next entry.
class Follower {
  public:
    Follower(Client& client, const Keys& keys, SaleViews& views)
        : client_(client), keys_(keys), reader_(client, keys), views_(views) {}

    /// Runs until stop(). After an outage of Redis it just tries again.
    Task<> follow();
    /// On the loop on which it follows.
    void stop() { reading_.stop(); }

    /// How often the sales are listed and their copies checked, which the logs do not show.
    static constexpr std::chrono::milliseconds kPull{500};

  private:
    using Clock = SaleViews::Clock;

    Task<> follow_once();
    void lose();
    Task<> look_at_copies();
    Task<bool> read_logs();
    Task<> read_stream(SaleId sale, ReplyView entries);
    Task<> load(SaleId sale);

    Client& client_;
    const Keys& keys_;
    CopyReader reader_;
    SaleViews& views_;
    LogFollower reading_;
    bool is_lost_ = false;  // since the last successful read
    Clock::time_point next_look_{};
};

}  // namespace sluice::redis
