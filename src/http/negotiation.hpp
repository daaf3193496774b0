#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sluice::http {

/// The weight that the parameters after a name give it, in thousandths: 1000 without a `q`, 0 with
/// a `q` that cannot be read.
int weight_of(std::string_view parameters);

/// The offered coding, in our order of preference, that an Accept-Encoding weighs most. Empty for
/// the plain form, also when the header allows nothing. A coding without a name is not offered.
std::string_view choose_coding(std::string_view accept_encoding,
                               std::initializer_list<std::string_view> offered);

/// Whether an Accept header names this media type itself, not only a range that includes it.
bool accepts_type(std::string_view accept, std::string_view type);

/// An ETag for bytes. Weak, since it stands for all their encodings.
std::string etag_of(std::string_view content);

/// Whether an If-None-Match names this ETag, or any ETag by `*`. Compared weakly, as RFC 9110
/// requires there: a `W/` is ignored.
bool is_known(std::string_view if_none_match, std::string_view etag);

}  // namespace sluice::http
