#include "base/shared_mutex.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Two readers hand the lock over to each other, so that one of them is always in. With
/// std::shared_mutex the writer waits for ever.
TEST(SharedMutex, AWriterGetsInAlthoughSomeReaderIsAlwaysIn) {
    SharedMutex mutex;
    std::atomic<bool> over = false;
    std::atomic<int> in = 0;
    const auto read = [&] {
        while (!over) {
            const SharedLock lock(mutex);
            ++in;
            // Stays until the other one is in too, or until there is somebody who wants it alone.
            for (int i = 0; i < 10'000 && in < 2 && !over; ++i) std::this_thread::yield();
            --in;
        }
    };
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i) readers.emplace_back(read);
    for (int i = 0; i < 100; ++i) {
        const ExclusiveLock lock(mutex);
        EXPECT_EQ(in, 0);
    }
    over = true;
    for (auto& reader : readers) reader.join();
}

}  // namespace
}  // namespace sluice
