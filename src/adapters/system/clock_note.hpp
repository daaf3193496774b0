#pragma once

#include <filesystem>
#include <optional>

#include "base/shop_time.hpp"

namespace sluice {

// A note of the shop's time in a file, so that the next process on this machine continues it
// instead of believing whatever the wall clock shows. It is only useful until the machine's next
// start, so it need not reach the disk.

/// nullopt when there is no such file or it holds no note.
std::optional<FormerTime> read_clock_note(const std::filesystem::path& file);

/// Replaces the one before, in one step. `former.same_boot` is not written, since it is always true
/// here. False when it could not be written: errno has the reason.
bool write_clock_note(const std::filesystem::path& file, const FormerTime& former);

}  // namespace sluice
