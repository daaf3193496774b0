#include "workers/periodic.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class PeriodicTest : public testing::Test {
  protected:
    void stop() {
        loop.spawn(worker.stop(), [](std::exception_ptr) {});
        loop.run();
    }

    testing_support::TestLoop loop;
    Log log{Log::Level::error, Log::Format::text};
    int steps = 0;
    bool failing = false;
    Periodic worker{"counter", 1h,
                    [this]() -> Task<> {
                        ++steps;
                        if (failing) throw Outage("away");
                        co_return;
                    },
                    log};
};

TEST_F(PeriodicTest, BeginsWithAStepAndWaits) {
    worker.start(loop);
    loop.poll();
    EXPECT_EQ(steps, 1);
    stop();
    EXPECT_EQ(steps, 1);
}

TEST_F(PeriodicTest, StepsAtOnceWhenWoken) {
    worker.start(loop);
    loop.poll();
    worker.wake();
    loop.poll();
    EXPECT_EQ(steps, 2);
    stop();
}

TEST_F(PeriodicTest, FinishesAfterItsLastStep) {
    bool finished = false;
    worker.finish_with([&]() -> Task<> {
        finished = true;
        co_return;
    });
    worker.start(loop);
    loop.poll();
    EXPECT_FALSE(finished);
    stop();
    EXPECT_TRUE(finished);
}

TEST_F(PeriodicTest, OutlivesAStepThatFails) {
    failing = true;
    worker.start(loop);
    loop.poll();
    failing = false;
    worker.wake();
    loop.poll();
    EXPECT_EQ(steps, 2);
    stop();
}

TEST_F(PeriodicTest, PausesAsLongAsTheStepSaysUnlessItFailed) {
    int rounds = 0;
    Periodic pacer("pacer", 1h,
                   std::function<Task<std::chrono::milliseconds>()>(
                       [&rounds]() -> Task<std::chrono::milliseconds> {
                           if (++rounds == 3) throw Outage("away");
                           co_return 0ms;
                       }),
                   log);
    pacer.start(loop);
    while (rounds < 3) loop.run_one();
    loop.poll();
    EXPECT_EQ(rounds, 3) << "what failed is tried again after the longest pause";
    loop.spawn(pacer.stop(), [](std::exception_ptr) {});
    loop.run();
}

TEST_F(PeriodicTest, StoppingWhatWasNotStartedIsNothing) {
    stop();
}

}  // namespace
}  // namespace sluice
