#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "config/value.hpp"

namespace sluice {

struct TableMark {};

/// One line of a file: a key with its value, or a table.
struct FileEntry {
    std::string name;  // limits.enabled
    std::variant<TableMark, Value> content;
    std::string place;  // file.toml:12:5
};

/// In the order of the file. Throws ConfigError with place and reason when the file cannot be read
/// or is not TOML; a key given twice is not TOML.
std::vector<FileEntry> read_toml(const std::filesystem::path&);

}  // namespace sluice
