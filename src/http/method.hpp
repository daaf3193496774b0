#pragma once

#include <string_view>

namespace sluice::http {

enum class Method { get, head, post, put, delete_, options, other };

constexpr std::string_view to_string(Method method) {
    switch (method) {
        case Method::get:
            return "GET";
        case Method::head:
            return "HEAD";
        case Method::post:
            return "POST";
        case Method::put:
            return "PUT";
        case Method::delete_:
            return "DELETE";
        case Method::options:
            return "OPTIONS";
        case Method::other:
            break;
    }
    return "OTHER";
}

/// Methods are case-sensitive.
constexpr Method parse_method(std::string_view text) {
    for (Method method :
         {Method::get, Method::head, Method::post, Method::put, Method::delete_, Method::options})
        if (to_string(method) == text) return method;
    return Method::other;
}

/// Such a request changes nothing, so it needs no proof that the user meant it.
constexpr bool is_safe(Method method) {
    return method == Method::get || method == Method::head;
}

}  // namespace sluice::http
