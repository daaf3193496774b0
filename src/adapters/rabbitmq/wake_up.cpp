#include "adapters/rabbitmq/wake_up.hpp"

#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.hpp"

namespace sluice::rabbitmq {

WakeUp::WakeUp() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    CHECK(event_ >= 0, "an eventfd can be made");
}

WakeUp::~WakeUp() {
    ::close(event_);
}

void WakeUp::ring() {
    const std::uint64_t one = 1;
    // It fails only when the counter is full, and then the descriptor is readable already.
    [[maybe_unused]] const auto written = ::write(event_, &one, sizeof one);
}

void WakeUp::wait(int socket, std::chrono::milliseconds longest) {
    pollfd waits[2] = {{event_, POLLIN, 0}, {socket, POLLIN, 0}};  // poll ignores a negative one
    ::poll(waits, 2, static_cast<int>(longest.count()));
    if (waits[0].revents == 0) return;
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(event_, &count, sizeof count);
}

}  // namespace sluice::rabbitmq
