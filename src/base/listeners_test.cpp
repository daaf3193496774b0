#include "base/listeners.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Listeners, AllAreToldInTheirOrderUntilTheyLeave) {
    Listeners listeners;
    std::string heard;
    listeners.tell();
    auto first = listeners.add([&] { heard += 'a'; });
    {
        auto second = listeners.add([&] { heard += 'b'; });
        listeners.tell();
    }
    listeners.tell();
    first.end();
    listeners.tell();
    EXPECT_EQ(heard, "aba");
}

}  // namespace
}  // namespace sluice
