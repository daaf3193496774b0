#include "http/request.hpp"

#include <utility>

#include "base/encoding.hpp"

namespace sluice::http {

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto lower = [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        };
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

std::string_view Request::header(std::string_view name) const {
    for (const auto& field : fields)
        if (equals_ignoring_case(field.name, name)) return field.value;
    return {};
}

// Boost.URL 1.81 would do this, but reads past the end of a query that no NUL follows.
Parameter Request::parameter(std::string_view name) const {
    for (auto rest = query; !rest.empty();) {
        const auto ampersand = rest.find('&');
        const auto pair = rest.substr(0, ampersand);
        rest.remove_prefix(ampersand == rest.npos ? rest.size() : ampersand + 1);
        const auto equals = pair.find('=');
        if (percent_decode(pair.substr(0, equals)) != name) continue;
        const auto value = equals == pair.npos ? std::string_view{} : pair.substr(equals + 1);
        auto text = percent_decode(value);
        if (!text) return {.form = Parameter::Form::broken};
        return {.form = Parameter::Form::given, .text = std::move(*text)};
    }
    return {};
}

void Request::clear() {
    method = Method::get;
    path = query = body = {};
    keep_alive = true;
    http_1_0 = false;
    fields.clear();
}

}  // namespace sluice::http
