#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "http/representation.hpp"

namespace sluice::http {

/// The pages, read into memory at start. A request can only name what was found then, so no path
/// leads out of the folder. The folder `console` is the office's: where the office has a listener
/// of its own, its pages are only there.
class StaticFiles {
  public:
    /// Reads every regular file below `root`; links are not followed. A file `x.br` or `x.gz`
    /// beside `x` is its compressed form. Throws when the folder is larger than what we keep in
    /// memory. An absent folder is an empty one.
    explicit StaticFiles(const std::filesystem::path& root);

    /// Answers a GET or HEAD of a file, and refuses what else is asked of it; false when there is
    /// none here. A folder's page is its index.html, and the page x.html is also called x.
    bool serve(Exchange&) const;

    /// Gives a refusal with 404 the body that people can read, the page 404.html, when the client
    /// asks for HTML outside the API. Everybody else keeps the problem in JSON.
    void explain_missing(Exchange&) const;

    std::size_t size() const { return shop_.size() + office_.size(); }

  private:
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const {
            return std::hash<std::string_view>{}(path);
        }
    };
    using Files =  // by URL path
        std::unordered_map<std::string, Representation, PathHash, std::equal_to<>>;
    static const Representation* find(const Files& files, std::string_view path);

    Files shop_, office_;
    std::optional<Representation> missing_;  // 404.html, which has no address of its own
};

}  // namespace sluice::http
