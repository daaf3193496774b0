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

/// The state of one link to Redis.
struct LinkHealth {
    bool is_connected = false;
    std::string failure;  // of the last attempt or connection, if any
    ServerState server;   // as last reported by it
};

class Link;

/// Asks Redis. It has a link on each of its loops; a call uses the link of the caller's loop, and
/// from any other thread the first one. From any thread.
class Client {
  public:
    static constexpr std::size_t kMostAtOnce = 256;

    /// The loops outlive it. Throws std::runtime_error when a file of the options cannot be read.
    Client(Options options, const std::vector<AsioLoop*>& loops);
    ~Client();

    /// Returns the reply. Throws UnknownOutcome when it may have happened, Outage when it has not,
    /// and Overload when too many calls wait.
    Task<Reply> call(Call call);
    /// Sends all at once, in this order. Throws when one of them fails. Callers with more than
    /// kMostAtOnce calls send them in parts.
    Task<std::vector<Reply>> call_all(std::vector<Call> calls);

    /// The state of all links.
    std::vector<LinkHealth> health() const;
    const Options& options() const { return options_; }

    /// Ends the link of this loop; no call from the loop may follow. On the loop's thread. The loop
    /// has to run until the link has finished there.
    void leave(const AsioLoop& loop);
    /// Ends the link of this loop, which is running.
    Task<> stop(AsioLoop& loop);
    /// Ends all links; no call may follow. Before the client is destroyed, wait for this, or for
    /// the end of each link whose loop has run.
    Task<> stop();

  private:
    struct Tls;

    const Options options_;
    const std::unique_ptr<Tls> tls_;
    std::vector<std::shared_ptr<Link>> links_;
};

}  // namespace sluice::redis
