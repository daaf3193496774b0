#include "http/message_parser.hpp"

#include <algorithm>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include "base/web_url.hpp"
#include "domain/event_signature.hpp"

namespace sluice::http {
namespace {

/// Fields with only one value. If such a field occurs twice, a proxy before us may use the other
/// one.
constexpr unsigned kHost = 1u << 0;
constexpr unsigned kLength = 1u << 1;
constexpr unsigned kEncoding = 1u << 2;
constexpr unsigned kType = 1u << 3;
constexpr unsigned kAuthorization = 1u << 4;
constexpr unsigned kOrigin = 1u << 5;
constexpr unsigned kSocketKey = 1u << 6;
constexpr unsigned kSocketVersion = 1u << 7;
constexpr unsigned kFetchSite = 1u << 8;
constexpr unsigned kIdempotencyKey = 1u << 9;
constexpr unsigned kSignature = 1u << 10;

/// Among the fields that Beast does not know.
unsigned other_single_of(std::string_view name) {
    if (equals_ignoring_case(name, "Idempotency-Key")) return kIdempotencyKey;
    return equals_ignoring_case(name, kSignatureHeader) ? kSignature : 0;
}

unsigned single_of(boost::beast::http::field field, std::string_view name) {
    using Field = boost::beast::http::field;
    switch (field) {
        case Field::host:
            return kHost;
        case Field::content_length:
            return kLength;
        case Field::transfer_encoding:
            return kEncoding;
        case Field::content_type:
            return kType;
        case Field::authorization:
            return kAuthorization;
        case Field::origin:
            return kOrigin;
        case Field::sec_websocket_key:
            return kSocketKey;
        case Field::sec_websocket_version:
            return kSocketVersion;
        case Field::sec_fetch_site:
            return kFetchSite;
        case Field::unknown:
            return other_single_of(name);
        default:
            return 0;
    }
}

std::string_view view(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A name or address with an optional port: no user, no path, nothing that could be read
/// differently.
bool is_host(std::string_view text) {
    return !text.empty() && text.size() <= 255 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-._~%!$&'()*+,;=:[]").find(c) != std::string_view::npos;
    });
}

}  // namespace

MessageParser::MessageParser(Request& request, std::string& body, std::size_t max_fields,
                             std::size_t max_body_bytes)
    : request_(request), body_(body), max_fields_(max_fields), max_body_bytes_(max_body_bytes) {
    // The connection limits the length of the head before this is called.
    header_limit(1u << 30);
    body_limit(boost::none);  // on_header_impl() judges it
    body_.clear();
}

std::optional<Code> MessageParser::parse_head(std::string_view head) {
    Error error;
    put(boost::asio::buffer(head.data(), head.size()), error);
    return outcome(error);
}

std::optional<Code> MessageParser::parse_body(std::string_view data, std::size_t& taken) {
    if (chunked()) return chunks_.read(data, body_, max_body_bytes_, taken);
    Error error;
    taken = 0;
    // One call may stop after a piece, so it is called again while it makes progress.
    while (!is_done() && taken < data.size()) {
        const auto n = put(boost::asio::buffer(data.data() + taken, data.size() - taken), error);
        taken += n;
        if (error || n == 0) break;
    }
    return outcome(error);
}

std::optional<Code> MessageParser::outcome(const Error& error) const {
    namespace http = boost::beast::http;
    if (!error || error == http::error::need_more) return std::nullopt;
    if (refused_) return refused_;
    if (error == http::error::body_limit) return Code::too_large;
    if (error == http::error::header_limit) return Code::header_too_large;
    return Code::malformed;
}

void MessageParser::refuse(Code code, Error& error) {
    refused_ = code;
    error = boost::beast::http::error::bad_value;
}

void MessageParser::on_request_impl(Verb, View method, View target, int version, Error& error) {
    if (version != 10 && version != 11) return refuse(Code::malformed, error);
    request_.method = http::parse_method(view(method));
    request_.http_1_0 = version == 10;
    if (!split_target(view(target))) refuse(Code::malformed, error);
}

/// Origin form, or absolute form, whose authority counts before the Host field (RFC 9112, 3.2.2).
bool MessageParser::split_target(std::string_view target) {
    if (!target.starts_with('/')) {
        const auto parts = UrlParts::split(target);
        if (!parts || !parts->is_web() || !is_host(parts->authority)) return false;
        if (!parts->rest.starts_with('/')) return false;
        request_.authority = parts->authority;
        target = parts->rest;
    }
    if (target.find('#') != target.npos) return false;
    const auto question = target.find('?');
    request_.path = target.substr(0, question);
    request_.query = question == target.npos ? std::string_view{} : target.substr(question + 1);
    return true;
}

void MessageParser::on_field_impl(Field field, View name, View value, Error& error) {
    if (request_.fields.size() >= max_fields_) return refuse(Code::header_too_large, error);
    request_.fields.push_back({view(name), view(value)});
    if (!note_single(field, view(name))) return refuse(Code::malformed, error);
    switch (field) {
        case Field::host:
            if (!is_host(view(value))) return refuse(Code::malformed, error);
            if (request_.authority.empty()) request_.authority = view(value);
            break;
        case Field::content_length:
            // Beast also accepts a list of equal numbers, which others read differently.
            if (!is_digits(view(value))) refuse(Code::malformed, error);
            break;
        case Field::transfer_encoding:
            if (!equals_ignoring_case(view(value), "chunked")) refuse(Code::malformed, error);
            break;
        case Field::expect:
            expects_continue_ = equals_ignoring_case(view(value), "100-continue");
            break;
        default:
            break;
    }
}

bool MessageParser::note_single(Field field, std::string_view name) {
    const unsigned single = single_of(field, name);
    if ((singles_ & single) != 0) return false;
    singles_ |= single;
    return true;
}

void MessageParser::on_header_impl(Error& error) {
    request_.keep_alive = keep_alive();
    const bool host_ok = (singles_ & kHost) != 0 || request_.http_1_0;
    const bool chunked = (singles_ & kEncoding) != 0;
    const bool length_ok = !chunked || ((singles_ & kLength) == 0 && !request_.http_1_0);
    if (!host_ok || !length_ok) return refuse(Code::malformed, error);
    const auto length = content_length();
    const bool may_be_long = chunked || (length && *length > max_body_bytes_);
    if (may_be_long && longest_body_)
        max_body_bytes_ = std::max(max_body_bytes_, (*longest_body_)(request_));
    if (length && *length > max_body_bytes_) refuse(Code::too_large, error);
}

void MessageParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, Error&) {
    if (length) body_.reserve(static_cast<std::size_t>(*length));
}

std::size_t MessageParser::on_body_impl(View piece, Error&) {
    body_.append(piece.data(), piece.size());
    return piece.size();
}

}  // namespace sluice::http
