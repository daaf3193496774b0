#include "adapters/system/system_random.hpp"

#include <sodium.h>

#include "base/check.hpp"

namespace sluice {

SystemRandom::SystemRandom() {
    CHECK(sodium_init() >= 0, "libsodium has a source of random bytes");
}

void SystemRandom::fill(std::span<unsigned char> out) {
    if (out.empty()) return;  // libsodium takes no null pointer
    randombytes_buf(out.data(), out.size());
}

}  // namespace sluice
