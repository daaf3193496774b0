#include "http/static_files.hpp"

#include <array>
#include <fstream>
#include <stdexcept>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice::http {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 256u << 20;
constexpr std::string_view kMissingPage = "/404.html";

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string contents(std::istreambuf_iterator<char>(in), {});
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return contents;
}

std::string_view type_of(const fs::path& path) {
    constexpr std::pair<std::string_view, std::string_view> types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".webmanifest", "application/manifest+json"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };
    for (const auto& [extension, type] : types)
        if (path.extension() == extension) return type;
    return "application/octet-stream";
}

/// A name that carries a hash of its contents, such as app-1a2b3c4d.js, never changes.
bool has_hashed_name(const fs::path& path) {
    const auto stem = path.stem().string();
    const auto dash = stem.rfind('-');
    return path.parent_path().filename() == "assets" && dash != stem.npos &&
           stem.size() - dash - 1 >= 8;
}

std::string etag_of(std::string_view contents) {
    std::array<unsigned char, 16> digest{};
    crypto_generichash(digest.data(), digest.size(), bytes_of(contents).data(), contents.size(),
                       nullptr, 0);
    return "W/\"" + to_hex(digest) + '"';  // weak: it stands for all encodings
}

bool mentions(std::string_view list, std::string_view token) {
    while (!list.empty()) {
        const auto comma = list.find(',');
        auto entry = list.substr(0, comma);
        list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
        while (entry.starts_with(' ')) entry.remove_prefix(1);
        const auto semicolon = entry.find(';');
        if (entry.substr(0, semicolon) != token) continue;
        return semicolon == entry.npos || entry.find("q=0", semicolon) == entry.npos ||
               entry.find("q=0.", semicolon) != entry.npos;
    }
    return false;
}

}  // namespace

StaticFiles::StaticFiles(const fs::path& root) {
    if (!fs::is_directory(root)) return;
    std::size_t total = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file() || entry.is_symlink()) continue;
        const auto& path = entry.path();
        if (path.extension() == ".br" || path.extension() == ".gz") continue;
        File file{.plain = read_file(path),
                  .brotli = {},
                  .gzip = {},
                  .etag = {},
                  .headers = {},
                  .type = type_of(path),
                  .cache_control =
                      has_hashed_name(path) ? "public, max-age=31536000, immutable" : "no-cache"};
        const auto variant = [&](const char* suffix) {
            const auto compressed = fs::path(path.string() + suffix);
            return fs::is_regular_file(compressed) ? read_file(compressed) : std::string{};
        };
        file.brotli = variant(".br");
        file.gzip = variant(".gz");
        file.etag = etag_of(file.plain);
        file.headers = "ETag: " + file.etag + "\r\n";
        if (!file.brotli.empty() || !file.gzip.empty()) file.headers += "Vary: Accept-Encoding\r\n";
        total += file.plain.size() + file.brotli.size() + file.gzip.size();
        if (total > kMaxBytes)
            throw std::runtime_error(root.string() +
                                     " holds more than 256 MiB; choose another web_root");
        auto address = "/" + fs::relative(path, root).generic_string();
        if (address == kMissingPage)
            missing_ = std::move(file);
        else
            files_.emplace(std::move(address), std::move(file));
    }
}

const StaticFiles::File* StaticFiles::find(std::string_view path) const {
    const auto at = files_.find(path);
    return at == files_.end() ? nullptr : &at->second;
}

bool StaticFiles::serve(Exchange& exchange) const {
    const auto& request = exchange.request;
    if (!is_safe(request.method)) return false;
    const File* file = find(request.path);
    if (!file) {
        auto path = percent_decode(request.path);
        if (!path) return false;
        if (path->ends_with('/')) *path += "index.html";
        file = find(*path);
        if (!file) file = find(*path + ".html");
        if (!file) file = find(*path + "/index.html");
        if (!file) return false;
    }

    auto& response = exchange.response;
    response.content_type = file->type;
    response.cache_control = file->cache_control;
    response.add_lines(file->headers);
    const auto known = request.header("If-None-Match");
    if (!known.empty() && (known == "*" || mentions(known, file->etag))) {
        response.status = 304;
        return true;
    }
    lend(*file, exchange);
    return true;
}

void StaticFiles::explain_missing(Exchange& exchange) const {
    const auto& request = exchange.request;
    if (!missing_ || !is_safe(request.method) || request.path.starts_with("/api/")) return;
    auto& response = exchange.response;
    response.add_header("Vary", "Accept, Accept-Encoding");
    if (!mentions(request.header("Accept"), "text/html")) return;
    response.content_type = missing_->type;
    response.body.clear();
    lend(*missing_, exchange);
}

/// In the smallest form that the client takes.
void StaticFiles::lend(const File& file, Exchange& exchange) {
    auto& response = exchange.response;
    const auto accepted = exchange.request.header("Accept-Encoding");
    if (!file.brotli.empty() && mentions(accepted, "br")) {
        response.add_header("Content-Encoding", "br");
        response.lend(file.brotli);
    } else if (!file.gzip.empty() && mentions(accepted, "gzip")) {
        response.add_header("Content-Encoding", "gzip");
        response.lend(file.gzip);
    } else {
        response.lend(file.plain);
    }
}

}  // namespace sluice::http
