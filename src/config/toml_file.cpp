#include "config/toml_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include <toml++/toml.h>

#include "config/load.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLargestFile = 1024 * 1024;

std::string contents_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kLargestFile + 1, '\0');
    // A folder can be opened like a file and fails only when it is read.
    if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad())
        throw ConfigError(path.string() +
                          ": cannot be read: " + std::generic_category().message(errno));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestFile)
        throw ConfigError(path.string() + ": is larger than any configuration can be (1 MiB)");
    return text;
}

std::string place_of(const std::string& file, const toml::source_position& at) {
    return file + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

Value value_of(const toml::node& node) {
    if (const auto* value = node.as_boolean()) return value->get();
    if (const auto* value = node.as_integer()) return value->get();
    if (const auto* value = node.as_string()) return value->get();
    std::ostringstream written;
    node.visit([&](const auto& value) { written << value; });
    const auto* array = node.as_array();
    if (!array) return Alien{written.str()};
    std::vector<std::string> list;
    for (const auto& element : *array) {
        if (!element.is_string()) return Alien{written.str()};
        list.push_back(element.as_string()->get());
    }
    return list;
}

struct PlacedEntry {
    toml::source_position at;
    FileEntry entry;
};

void gather(const toml::table& table, const std::string& prefix, const std::string& file,
            std::vector<PlacedEntry>& entries) {
    for (const auto& [key, node] : table) {
        const std::string name = prefix + std::string(key.str());
        const auto at = key.source().begin;
        const auto* inner = node.as_table();
        if (!inner) {
            entries.push_back({at, {name, value_of(node), place_of(file, at)}});
            continue;
        }
        entries.push_back({at, {name, TableMark{}, place_of(file, at)}});
        gather(*inner, name + '.', file, entries);
    }
}

toml::table parsed(const std::string& file, const std::string& text) {
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        throw ConfigError(place_of(file, error.source().begin) + ": " +
                          std::string(error.description()));
    }
}

}  // namespace

std::vector<FileEntry> read_toml(const std::filesystem::path& path) {
    const std::string file = path.string();
    std::vector<PlacedEntry> placed;
    gather(parsed(file, contents_of(path)), "", file, placed);

    // The library keeps keys in alphabetical order; people read their file from the top.
    std::ranges::stable_sort(
        placed, [](const PlacedEntry& a, const PlacedEntry& b) { return a.at < b.at; });
    std::vector<FileEntry> entries;
    for (auto& each : placed) entries.push_back(std::move(each.entry));
    return entries;
}

}  // namespace sluice
