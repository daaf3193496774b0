#include "adapters/sqlite/upkeep/log_watch.hpp"

namespace sluice {

Task<> LogWatch::look() {
    const auto bytes = log_bytes_();
    if (bytes >= kLong && bytes >= 2 * told_) {
        log_.warn("ledger.log_is_long",
                  {{"bytes", bytes},
                   {"reason", "a backup or another program has been reading for a long time"}});
        told_ = bytes;
    } else if (bytes < kLong && told_ > 0) {
        log_.info("ledger.log_is_short_again", {{"bytes", bytes}});
        told_ = 0;
    }
    co_return;
}

}  // namespace sluice
