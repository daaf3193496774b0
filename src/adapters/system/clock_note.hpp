#pragma once

#include <filesystem>
#include <optional>

#include "base/shop_time.hpp"

namespace sluice {

// A note of the shop's time in a file, so that the next process on this machine goes on from it
// instead of believing whatever the wall clock shows. It is only of use until the machine's next
// start, so it need not reach the disk.

/// nullopt when there is no such file or it holds no note.
std::optional<FormerTime> read_clock_note(const std::filesystem::path& file);

/// In place of the one before, in one step. `former.same_boot` is not written: it is so. False when
/// it could not be written: errno says why.
bool write_clock_note(const std::filesystem::path& file, const FormerTime& former);

}  // namespace sluice
