#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "http/representation.hpp"

namespace sluice::http {

/// The pages, read into memory at start. A request can only name what was found then, so no path
/// leads out of the folder.
class StaticFiles {
  public:
    /// Reads every regular file below `root`; links are not followed. A file `x.br` or `x.gz`
    /// beside `x` is its compressed form. Throws when the folder is larger than what we keep in
    /// memory. An absent folder is an empty one.
    explicit StaticFiles(const std::filesystem::path& root);

    /// Answers a GET or HEAD of a file, and refuses what else is asked of it; false when there is
    /// none. A folder's page is its index.html, and the page x.html is also called x.
    bool serve(Exchange&) const;

    std::size_t size() const { return files_.size(); }

  private:
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const {
            return std::hash<std::string_view>{}(path);
        }
    };
    const Representation* find(std::string_view path) const;
    const Representation* at(std::string_view path) const;

    std::unordered_map<std::string, Representation, PathHash, std::equal_to<>>
        files_;  // by URL path
};

}  // namespace sluice::http
