#include "adapters/system/system_clock.hpp"

namespace sluice {

Timestamp SystemClock::now() const {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace sluice
