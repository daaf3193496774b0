#include "base/asio_loop.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

namespace sluice {
namespace {

using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, AsioExecutor>;

class TimerAlarm final : public Executor::Alarm {
  public:
    TimerAlarm(boost::asio::io_context& context, std::chrono::milliseconds after,
               std::move_only_function<void()> ring)
        : timer_(context, after) {
        timer_.async_wait([ring = std::move(ring), is_set = is_set_](auto error) mutable {
            if (!error && *is_set) ring();
        });
    }
    ~TimerAlarm() override { *is_set_ = false; }

  private:
    Timer timer_;
    // A timer that is due can no longer be cancelled.
    std::shared_ptr<bool> is_set_ = std::make_shared<bool>(true);
};

}  // namespace

void AsioLoop::post(std::move_only_function<void()> work) {
    boost::asio::post(context_, std::move(work));
}

std::unique_ptr<Executor::Alarm> AsioLoop::set_alarm(std::chrono::milliseconds after,
                                                     std::move_only_function<void()> ring) {
    return std::make_unique<TimerAlarm>(context_, after, std::move(ring));
}

}  // namespace sluice
