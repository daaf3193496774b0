#include "api/shop/share_page.hpp"

#include <array>
#include <utility>

#include "api/absolute_url.hpp"
#include "api/in_path.hpp"
#include "api/shop/share_files.hpp"

namespace sluice::api {
namespace {

using Value = std::pair<std::string_view, std::string>;

// As much as previews show; the page itself has the whole text.
constexpr std::size_t kMostDescription = 300;

/// The template, with each {name} replaced by its value if there is one.
template <std::size_t Count>
std::string fill(std::string_view text, const std::array<Value, Count>& values) {
    std::string filled;
    while (!text.empty()) {
        const auto open = text.find('{');
        filled.append(text.substr(0, open));
        if (open == text.npos) break;
        text.remove_prefix(open + 1);
        const auto name = text.substr(0, text.find('}'));
        for (const auto& [known, value] : values)
            if (known == name) filled.append(value);
        text.remove_prefix(name.size() + 1);
    }
    return filled;
}

}  // namespace

http::Pending SharePage::show(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    const auto& item = *displayed->item;
    const auto id = displayed->sale.id.text();
    const auto absolute = [&](std::string_view url) {
        return html_escaped(absolute_url(exchange.request, public_url_, url));
    };
    std::string picture;
    if (!item.image_url.empty())
        picture = "<meta property=\"og:image\" content=\"" + absolute(item.image_url) + "\">\n";
    const std::array<Value, 6> values{{
        {"lang", std::string(kLanguageTags.text(exchange.context.language))},
        {"title", html_escaped(title_of(*displayed))},
        {"text", html_escaped(shorten(item.description, kMostDescription))},
        {"url", absolute("/s/" + id)},
        {"picture", std::move(picture)},
        {"to", "/sale?id=" + id},
    }};
    exchange.response.content_type = "text/html; charset=utf-8";
    exchange.response.cache_control = "no-cache";
    exchange.response.body = fill(share::files[0].second, values);
    exchange.response.add_header("Vary", "Accept-Language");
    return std::nullopt;
}

std::string html_escaped(std::string_view text) {
    static constexpr std::string_view kSpecial = "&<>\"'";
    static constexpr std::array<std::string_view, 5> kEscapes{"&amp;", "&lt;", "&gt;", "&quot;",
                                                              "&#39;"};
    std::string escaped;
    for (const char c : text) {
        const auto found = kSpecial.find(c);
        if (found == kSpecial.npos)
            escaped += c;
        else
            escaped += kEscapes[found];
    }
    return escaped;
}

std::string shorten(std::string_view text, std::size_t most) {
    std::string line(text.substr(0, most));
    // The last character may be cut: then its first bytes are removed.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    if (text.size() > most && continues(text[most])) {
        while (!line.empty() && continues(line.back())) line.pop_back();
        if (!line.empty()) line.pop_back();
    }
    for (auto& c : line)
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return line;
}

}  // namespace sluice::api
