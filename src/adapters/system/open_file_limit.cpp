#include "adapters/system/open_file_limit.hpp"

#include <sys/resource.h>

#include "base/check.hpp"

namespace sluice {

std::uint64_t raise_open_file_limit() {
    rlimit limit{};
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0, "every process has an open-file limit");
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace sluice
