#include "base/shared_mutex.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Two readers take turns, so that one of them always holds the lock. With std::shared_mutex the
/// writer waits for ever.
TEST(SharedMutex, AWriterGetsInAlthoughSomeReaderIsAlwaysIn) {
    SharedMutex mutex;
    std::atomic<bool> over = false;
    std::atomic<int> in = 0;
    const auto read = [&] {
        while (!over) {
            const SharedLock lock(mutex);
            ++in;
            // Holds the lock until the other reader holds it too, or until a thread wants it alone.
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
