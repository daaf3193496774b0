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
    /// Waits until the socket is readable, or ring() was called, or that much time has passed. A
    /// negative socket is ignored.
    void wait(int socket, std::chrono::milliseconds longest);

  private:
    const int event_;
};

}  // namespace sluice::rabbitmq
