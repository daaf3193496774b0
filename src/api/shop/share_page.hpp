#pragma once

#include <string>
#include <string_view>

#include "app/catalog/catalog.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// The address by which people share a sale. Messengers that fetch it for a preview run no script,
/// so title, description and picture stand in its head; a browser is forwarded to the sale's page.
class SharePage {
  public:
    /// `public_url` is where browsers find this server; empty: taken from the request.
    SharePage(const Catalog& catalog, std::string public_url)
        : catalog_(catalog), public_url_(std::move(public_url)) {}

    http::Pending show(http::Exchange& exchange);

  private:
    const Catalog& catalog_;
    const std::string public_url_;
};

/// Escaped for a text or for an attribute within quotes.
std::string html_escaped(std::string_view text);

/// The beginning of a text in one line, of at most `most` bytes and whole characters.
std::string shorten(std::string_view text, std::size_t most);

}  // namespace sluice::api
