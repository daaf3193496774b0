#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/targets.hpp"

namespace sluice::fuzz {
namespace {

namespace fs = std::filesystem;

/// Every seed with every build: an input that once broke something becomes a seed.
void replay(const char* name, void (*target)(std::string_view)) {
    const fs::path folder = fs::path(SLUICE_SOURCE_DIR) / "tests/fuzz/corpus" / name;
    std::vector<fs::path> seeds(fs::directory_iterator(folder), {});
    std::ranges::sort(seeds);
    EXPECT_FALSE(seeds.empty());
    target("");
    for (const auto& seed : seeds) {
        SCOPED_TRACE(seed.string());
        std::ifstream file(seed, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(file), {});
        target(bytes);
        // Cut off at any place, as on a network.
        for (std::size_t length = 1; length < bytes.size(); length += 1 + bytes.size() / 64)
            target(std::string_view(bytes).substr(0, length));
    }
}

TEST(Fuzz, ReplaysHttp) {
    replay("http", http);
}
TEST(Fuzz, ReplaysJson) {
    replay("json", json);
}
TEST(Fuzz, ReplaysText) {
    replay("text", text);
}
TEST(Fuzz, ReplaysPass) {
    replay("pass", pass);
}
TEST(Fuzz, ReplaysChallenge) {
    replay("challenge", challenge);
}
TEST(Fuzz, ReplaysConfig) {
    replay("config", config);
}
TEST(Fuzz, ReplaysBroker) {
    replay("broker", broker);
}
TEST(Fuzz, ReplaysPicture) {
    replay("picture", picture);
}

}  // namespace
}  // namespace sluice::fuzz
