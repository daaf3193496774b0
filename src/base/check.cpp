#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace sluice {

void broken(std::string_view fact, const char* file, int line) noexcept {
    std::fprintf(stderr, "sluice: broken invariant at %s:%d: %.*s\n", file, line,
                 static_cast<int>(fact.size()), fact.data());
    std::abort();
}

}  // namespace sluice
