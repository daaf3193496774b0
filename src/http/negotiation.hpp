#pragma once

#include <string>
#include <string_view>

namespace sluice::http {

/// Whether an Accept-Encoding allows this coding, or an Accept names this media type: names in any
/// case, weights, and `*` for all that
/// are not named. An empty field allows none but the plain form.
bool accepts_coding(std::string_view accept_encoding, std::string_view coding);

/// An ETag for bytes. Weak, since it stands for all their encodings.
std::string etag_of(std::string_view content);

/// Whether an If-None-Match names this ETag, or any with `*`. Compared weakly, as RFC 9110 wants it
/// there: a `W/` does not count.
bool is_known(std::string_view if_none_match, std::string_view etag);

}  // namespace sluice::http
