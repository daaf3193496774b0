#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sluice::http {

/// The weight that the parameters behind a name give it, in thousandths: all of them without a `q`,
/// none with one that cannot be read.
int weight_of(std::string_view parameters);

/// Of the offered codings, in our order of preference, the one that an Accept-Encoding weighs
/// most. Empty for the plain form, also when the header allows nothing. A coding without a name is
/// not on offer.
std::string_view choose_coding(std::string_view accept_encoding,
                               std::initializer_list<std::string_view> offered);

/// Whether an Accept names this media type, and not only by a range around it.
bool accepts_type(std::string_view accept, std::string_view type);

/// An ETag for bytes. Weak, since it stands for all their encodings.
std::string etag_of(std::string_view content);

/// Whether an If-None-Match names this ETag, or any with `*`. Compared weakly, as RFC 9110 wants it
/// there: a `W/` does not count.
bool is_known(std::string_view if_none_match, std::string_view etag);

}  // namespace sluice::http
