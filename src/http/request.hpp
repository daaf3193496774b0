#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "http/method.hpp"

namespace sluice::http {

/// One request, complete with its body. Its views live in the connection's buffers until the
/// answer has been written.
struct Request {
    Method method = Method::get;
    std::string_view path;   // as sent, still percent-encoded
    std::string_view query;  // without the question mark
    std::string_view body;
    bool keep_alive = true;
    bool http_1_0 = false;

    struct Field {
        std::string_view name;
        std::string_view value;
    };
    std::vector<Field> fields;

    Address peer;

    /// The first field of that name, in any case; empty when there is none.
    std::string_view header(std::string_view name) const;

    /// A query parameter, decoded; nullopt when absent, an empty string when it is broken.
    std::optional<std::string> parameter(std::string_view name) const;

    void clear();
};

bool equals_ignoring_case(std::string_view, std::string_view);

}  // namespace sluice::http
