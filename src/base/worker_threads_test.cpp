#include "base/worker_threads.hpp"

#include <future>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(WorkerThreads, RefuseMoreThanTheirBacklog) {
    std::promise<void> gate;
    auto opened = gate.get_future();
    std::promise<void> begun;
    WorkerThreads threads("test", 1, 1);
    EXPECT_TRUE(threads.submit([&] {
        begun.set_value();
        opened.wait();
    }));
    begun.get_future().wait();
    EXPECT_TRUE(threads.submit([] {}));
    EXPECT_FALSE(threads.submit([] {})) << "one runs, one waits";
    EXPECT_EQ(threads.waiting(), 1u);
    gate.set_value();
}

}  // namespace
}  // namespace sluice
