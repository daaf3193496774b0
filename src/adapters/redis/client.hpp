#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/redis/call.hpp"
#include "adapters/redis/options.hpp"
#include "adapters/redis/reply.hpp"
#include "adapters/redis/server_state.hpp"
#include "base/task.hpp"

namespace sluice {
class AsioLoop;
}

namespace sluice::redis {

/// How one link to Redis does.
struct LinkHealth {
    bool is_connected = false;
    std::string failure;  // of the last attempt or connection, when there was one
    ServerState server;   // as it was told last
};

class Link;

/// Asks Redis. It has a link on each of its loops; a call goes by that of the caller's loop, and
/// from any other loop by the first one. From any thread.
class Client {
  public:
    static constexpr std::size_t kMostAtOnce = 256;

    /// The loops outlive it. Throws std::runtime_error when a file of the options cannot be read.
    Client(Options options, const std::vector<AsioLoop*>& loops);
    ~Client();

    /// What comes back. Throws UnknownOutcome when it may have happened, Outage when it has not,
    /// and Overload when too many calls wait.
    Task<Reply> call(Call call);
    /// All at once, in this order. Throws when one of them fails.
    /// Callers with more than kMostAtOnce send them part by part.
    Task<std::vector<Reply>> call_all(std::vector<Call> calls);

    /// Of all links.
    std::vector<LinkHealth> health() const;
    const Options& options() const { return options_; }

    /// Ends the link of this loop; no call from the loop may follow. On the loop's thread. The loop
    /// has to run until the link has nothing more to do there.
    void leave(const AsioLoop& loop);
    /// Ends the link of this loop, which runs.
    Task<> stop(AsioLoop& loop);
    /// Ends all links; no call may follow. Either this, or the end of each link whose loop has run,
    /// is awaited before the client is destroyed.
    Task<> stop();

  private:
    struct Tls;

    const Options options_;
    const std::unique_ptr<Tls> tls_;
    std::vector<std::shared_ptr<Link>> links_;
};

}  // namespace sluice::redis
