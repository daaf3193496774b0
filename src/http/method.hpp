#pragma once

#include <string_view>

#include "base/names.hpp"

namespace sluice::http {

enum class Method { get, head, post, put, delete_, options, other };

inline constexpr Names<Method::other> kMethodNames({{Method::get, "GET"},
                                                    {Method::head, "HEAD"},
                                                    {Method::post, "POST"},
                                                    {Method::put, "PUT"},
                                                    {Method::delete_, "DELETE"},
                                                    {Method::options, "OPTIONS"},
                                                    {Method::other, "OTHER"}});

constexpr std::string_view to_string(Method method) {
    return kMethodNames.text(method);
}

/// Methods are case-sensitive.
constexpr Method parse_method(std::string_view text) {
    return kMethodNames.parse(text).value_or(Method::other);
}

/// Such a request changes nothing, so it needs no proof that the user meant it.
constexpr bool is_safe(Method method) {
    return method == Method::get || method == Method::head;
}

}  // namespace sluice::http
