#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "http/representation.hpp"

namespace sluice::http {

/// The pages, read into memory at start. A request can only name a file that was found then, so no
/// path leads out of the folder. The folder `console` belongs to the office: where the office has a
/// listener of its own, these pages are only there.
class StaticFiles {
  public:
    /// Reads every regular file below `root`; links are not followed. A file `x.br` or `x.gz`
    /// beside `x` is its compressed form. Throws when the folder is larger than what we keep in
    /// memory. A folder that does not exist counts as empty.
    explicit StaticFiles(const std::filesystem::path& root);

    /// Answers a GET or HEAD of a file, and refuses other methods; false when there is no such
    /// file. A folder's page is its index.html, and the page x.html is also found as x.
    bool serve(Exchange&) const;

    /// Gives a refusal with 404 the page 404.html as its body, when the client asks for HTML
    /// outside the API. Other clients get the problem in JSON.
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
