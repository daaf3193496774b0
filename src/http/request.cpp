#include "http/request.hpp"

#include <boost/url/parse_query.hpp>

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

std::optional<std::string> Request::parameter(std::string_view name) const {
    const auto parsed =
        boost::urls::parse_query(boost::urls::string_view(query.data(), query.size()));
    if (!parsed)
        return query.find(name) == query.npos ? std::nullopt : std::optional<std::string>("");
    for (auto parameter : *parsed) {
        if (parameter.key.decode() != name) continue;
        return parameter.value.decode();
    }
    return std::nullopt;
}

void Request::clear() {
    method = Method::get;
    path = query = body = {};
    keep_alive = true;
    http_1_0 = false;
    fields.clear();
}

}  // namespace sluice::http
