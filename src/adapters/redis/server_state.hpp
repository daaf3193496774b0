#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/notice.hpp"

namespace sluice::redis {

/// The properties that a Redis reports of itself.
struct ServerState {
    /// Its run_id and its master_replid. run_id alone stays the same over a failover to another
    /// server and back, which forgets writes.
    std::string run;
    bool is_master = false;
    bool is_loading = false;
    std::string version;
    std::string eviction;  // maxmemory-policy
    std::int64_t used_memory = 0;
    std::int64_t most_memory = 0;  // 0: no limit
    std::int64_t replicas = 0;
    bool appends = false;           // appendonly
    bool last_save_ok = true;       // snapshot and append-only file
    std::string save;               // the rule for snapshots; empty: none
    std::int64_t min_replicas = 0;  // min-replicas-to-write
    bool shows_config = false;      // false: `save` and `min_replicas` are not known

    /// Reads the answer to INFO. What only the configuration shows stays as it is.
    void read_info(std::string_view info);
};

/// What an operator should change. Empty when all is well.
std::vector<Notice> complaints_about(const ServerState& state);

}  // namespace sluice::redis
