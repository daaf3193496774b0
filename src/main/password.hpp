#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sluice {

/// The first line of the file, or `given` when no file is named. Throws DataError, which names the
/// key, when the file cannot be read.
std::string read_password(const std::string& given, const std::filesystem::path& file,
                          std::string_view key);

}  // namespace sluice
