#include "http/static_files.hpp"

#include <fstream>
#include <stdexcept>

#include "base/encoding.hpp"
#include "http/negotiation.hpp"

namespace sluice::http {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 256u << 20;
constexpr std::string_view kMissingPage = "/404.html";
constexpr std::string_view kOffice = "/console/";

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

/// A name that contains a hash of the file's contents, such as app-1a2b3c4d.js: the file never
/// changes.
bool has_hashed_name(const fs::path& path) {
    const auto stem = path.stem().string();
    const auto dash = stem.rfind('-');
    return path.parent_path().filename() == "assets" && dash != stem.npos &&
           stem.size() - dash - 1 >= 8;
}

}  // namespace

StaticFiles::StaticFiles(const fs::path& root) {
    if (!fs::is_directory(root)) return;
    std::size_t total = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file() || entry.is_symlink()) continue;
        const auto& path = entry.path();
        if (path.extension() == ".br" || path.extension() == ".gz") continue;
        Representation file{.plain = read_file(path),
                            .brotli = {},
                            .gzip = {},
                            .type = type_of(path),
                            .cache_control = has_hashed_name(path)
                                                 ? "public, max-age=31536000, immutable"
                                                 : "no-cache"};
        const auto variant = [&](const char* suffix) {
            const auto compressed = fs::path(path.string() + suffix);
            return fs::is_regular_file(compressed) ? read_file(compressed) : std::string{};
        };
        file.brotli = variant(".br");
        file.gzip = variant(".gz");
        file.finish();
        total += file.plain.size() + file.brotli.size() + file.gzip.size();
        if (total > kMaxBytes)
            throw std::runtime_error(root.string() +
                                     " holds more than 256 MiB; choose another web_root");
        auto address = "/" + fs::relative(path, root).generic_string();
        if (address == kMissingPage) {
            missing_ = std::move(file);
            continue;
        }
        auto& files = address.starts_with(kOffice) ? office_ : shop_;
        files.emplace(std::move(address), std::move(file));
    }
}

const Representation* StaticFiles::find(const Files& files, std::string_view path) {
    const auto at = [&](std::string_view name) {
        const auto found = files.find(name);
        return found == files.end() ? nullptr : &found->second;
    };
    if (const auto* file = at(path)) return file;
    auto decoded = percent_decode(path);
    if (!decoded) return nullptr;
    if (decoded->ends_with('/')) *decoded += "index.html";
    for (const auto* ending : {"", ".html", "/index.html"})
        if (const auto* file = at(*decoded + ending)) return file;
    return nullptr;
}

bool StaticFiles::serve(Exchange& exchange) const {
    const auto* file = find(shop_, exchange.request.path);
    if (!file && exchange.surfaces.office) file = find(office_, exchange.request.path);
    if (!file) return false;
    if (is_safe(exchange.request.method)) {
        file->answer(exchange);
    } else {
        exchange.response.add_header("Allow", "GET, HEAD");
        exchange.refuse(Code::method_not_allowed);
    }
    return true;
}

void StaticFiles::explain_missing(Exchange& exchange) const {
    const auto& request = exchange.request;
    if (!missing_ || !is_safe(request.method) || request.path.starts_with("/api/")) return;
    auto& response = exchange.response;
    response.add_header("Vary", "Accept, Accept-Encoding");
    // By name: a program that takes anything gets the problem.
    if (!accepts_type(request.list_header("Accept"), "text/html")) return;
    response.content_type = missing_->type;
    response.body.clear();
    missing_->lend(exchange);
}

}  // namespace sluice::http
