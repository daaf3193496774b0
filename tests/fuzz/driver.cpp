#include <cstddef>
#include <cstdint>

#include <sodium.h>

#include "fuzz/targets.hpp"

// libFuzzer's entry, built once for each target.

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    return sodium_init() < 0 ? 1 : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sluice::fuzz::SLUICE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
