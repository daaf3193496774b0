#include "main/unfinished_restore.hpp"

#include <cstdio>

#include "adapters/sqlite/upkeep/restore.hpp"

namespace sluice {

bool finish_restore(const std::filesystem::path& data) {
    if (!sqlite::has_unfinished_restore(data / "sluice.db")) return false;
    const DataFolder folder(data);
    const auto lock = ServerLock::try_take(folder);
    if (!lock)
        throw DataError("a restore of " + folder.database().string() +
                        " is under way: wait until it has ended");
    if (!finish_restore(folder, *lock)) return false;
    std::fprintf(stderr, "finished a restore of %s that was cut short\n",
                 folder.database().c_str());
    return true;
}

bool finish_restore(const DataFolder& folder, const ServerLock&) {
    return sqlite::finish_restore(folder.database());
}

}  // namespace sluice
