#include "api/json_reader.hpp"

#include <algorithm>

#include "api/strict_json.hpp"

namespace sluice::api {
namespace {

using http::Code;

/// application/json, with no parameter but charset=utf-8.
bool is_json(std::string_view type) {
    const auto semicolon = type.find(';');
    auto name = type.substr(0, semicolon);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!http::equals_ignoring_case(name, "application/json")) return false;
    if (semicolon == type.npos) return true;
    auto parameter = type.substr(semicolon + 1);
    while (parameter.starts_with(' ')) parameter.remove_prefix(1);
    return http::equals_ignoring_case(parameter, "charset=utf-8") ||
           http::equals_ignoring_case(parameter, "charset=\"utf-8\"");
}

}  // namespace

JsonReader::JsonReader(http::Exchange& exchange, bool may_be_absent) : exchange_(exchange) {
    const auto& request = exchange.request;
    if (request.body.empty() && may_be_absent) return;
    const auto encoding = request.header("Content-Encoding");
    if (!is_json(request.header("Content-Type")) ||
        !(encoding.empty() || http::equals_ignoring_case(encoding, "identity"))) {
        refused_ = Code::unsupported_media_type;
        return;
    }
    auto value = parse_strict_json(request.body);
    if (!value)
        refused_ = Code::malformed;
    else if (!value->is_object())
        complain("", Rule::body_not_object);
    else
        object_ = std::move(value->as_object());
}

std::string JsonReader::required_text(std::string_view field) {
    auto value = text(field);
    if (!value && !object_.contains(field)) complain(field, Rule::missing);
    return value.value_or("");
}

std::optional<std::string> JsonReader::text(std::string_view field) {
    const auto* value = take(field);
    if (!value) return std::nullopt;
    if (!value->is_string()) {
        complain(field, Rule::not_text);
        return std::nullopt;
    }
    std::string text(value->as_string());
    if (text.find('\0') != text.npos) {
        complain(field, Rule::has_nul);
        return std::nullopt;
    }
    return text;
}

std::optional<std::vector<std::string>> JsonReader::texts(std::string_view field) {
    const auto* value = take(field);
    if (!value) return std::nullopt;
    const auto is_text = [](const boost::json::value& each) {
        return each.is_string() && each.as_string().find('\0') == boost::json::string::npos;
    };
    if (!value->is_array() || !std::ranges::all_of(value->as_array(), is_text)) {
        complain(field, Rule::not_texts);
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const auto& each : value->as_array()) texts.emplace_back(each.as_string());
    return texts;
}

std::optional<bool> JsonReader::yes_or_no(std::string_view field) {
    const auto* value = take(field);
    if (!value) return std::nullopt;
    if (value->is_bool()) return value->as_bool();
    complain(field, {Rule::one_of, "true, false"});
    return std::nullopt;
}

std::optional<std::int64_t> JsonReader::whole_number(std::string_view field) {
    const auto* value = take(field);
    if (!value) return std::nullopt;
    if (value->is_int64()) return value->as_int64();
    complain(field, value->is_uint64() ? Rule::too_large : Rule::not_whole_number);
    return std::nullopt;
}

std::optional<std::optional<std::int64_t>> JsonReader::whole_number_or_null(
    std::string_view field) {
    if (take_null(field)) return std::optional<std::int64_t>{};
    const auto given = whole_number(field);
    if (!given) return std::nullopt;
    return given;
}

std::optional<std::optional<Timestamp>> JsonReader::time_or_null(std::string_view field) {
    if (take_null(field)) return std::optional<Timestamp>{};
    const auto given = time(field);
    if (!given) return std::nullopt;
    return given;
}

std::optional<Timestamp> JsonReader::time(std::string_view field) {
    const auto given = text(field);
    if (!given) return std::nullopt;
    const auto time = parse_rfc3339(*given);
    if (!time) complain(field, {Rule::not_time, "2026-11-11T12:00:00.000Z"});
    return time;
}

void JsonReader::complain(std::string_view field, Complaint complaint) {
    errors_.push_back({std::string(field), std::move(complaint)});
}

bool JsonReader::finish() {
    if (refused_) {
        exchange_.refuse(*refused_);
        return false;
    }
    if (strict_) complain_of_unknown(object_, "");
    if (errors_.empty()) return true;
    http::write_problem(exchange_.response, Code::invalid, exchange_.context, {}, errors_);
    return false;
}

bool JsonReader::take_null(std::string_view field) {
    const auto* value = find(field);
    if (!value || !value->is_null()) return false;
    asked_.push_back(field);
    return true;
}

const boost::json::value* JsonReader::take(std::string_view field) {
    // An empty object has no unknown fields, so the names that were asked for need not be noted.
    // Most such requests are refused, which has to be cheap.
    if (object_.empty()) return nullptr;
    asked_.push_back(field);
    return find(field);
}

const boost::json::value* JsonReader::find(std::string_view field) const {
    const auto dot = field.find('.');
    if (dot == field.npos) return object_.if_contains(field);
    const auto* group = object_.if_contains(field.substr(0, dot));
    if (!group || !group->is_object()) return nullptr;
    return group->as_object().if_contains(field.substr(dot + 1));
}

void JsonReader::complain_of_unknown(const boost::json::object& object, const std::string& prefix) {
    for (const auto& member : object) {
        const auto name = prefix + std::string(member.key());
        const auto group = name + ".";
        if (std::ranges::find(asked_, name) != asked_.end()) continue;
        const bool is_group = std::ranges::any_of(
            asked_, [&](std::string_view field) { return field.starts_with(group); });
        if (!is_group)
            complain(name, Rule::unknown_field);
        else if (!member.value().is_object())
            complain(name, Rule::not_object);
        else
            complain_of_unknown(member.value().as_object(), group);
    }
}

}  // namespace sluice::api
