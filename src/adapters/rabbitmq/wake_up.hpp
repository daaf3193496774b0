#pragma once

#include <chrono>

namespace sluice::rabbitmq {

/// Lets other threads end the wait of one thread on a socket.
class WakeUp {
  public:
    WakeUp();
    ~WakeUp();
    WakeUp(const WakeUp&) = delete;
    WakeUp& operator=(const WakeUp&) = delete;

    /// From any thread.
    void ring();
    /// Until the socket is readable, or somebody rang, or that much time has passed. Without a
    /// socket if it is negative.
    void wait(int socket, std::chrono::milliseconds longest);

  private:
    const int event_;
};

}  // namespace sluice::rabbitmq
