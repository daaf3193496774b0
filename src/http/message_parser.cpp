#include "http/message_parser.hpp"

#include <algorithm>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

namespace sluice::http {
namespace {

constexpr std::size_t kMaxChunkExtension = 256;
constexpr std::size_t kShortestEnd = 5;  // of a chunked body: 0, CRLF, CRLF

std::string_view view(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// A name or address with an optional port: no user, no path, nothing to be misread.
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
    // The connection bounds the head before it comes here.
    header_limit(1u << 30);
    body_limit(max_body_bytes);
    body_.clear();
}

std::optional<Code> MessageParser::parse_head(std::string_view head) {
    Error error;
    put(boost::asio::buffer(head.data(), head.size()), error);
    return outcome(error);
}

std::optional<Code> MessageParser::parse_body(std::string_view data, std::size_t& taken) {
    Error error;
    taken = 0;
    // One call may stop after a piece, such as a chunk's header: go on while it gets anywhere.
    while (!is_done() && taken < data.size()) {
        // Beast asserts, instead of asking for more, when the end comes in smaller pieces. At
        // least this much is still to come, so waiting for it keeps nobody waiting.
        if (chunked() && data[taken] == '0' && data.size() - taken < kShortestEnd) break;
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

/// Origin form, or absolute form with the authority cut off, as RFC 9112 wants it accepted.
bool MessageParser::split_target(std::string_view target) {
    if (!target.starts_with('/')) {
        if (target.starts_with("http://"))
            target.remove_prefix(7);
        else if (target.starts_with("https://"))
            target.remove_prefix(8);
        else
            return false;
        const auto slash = target.find('/');
        if (slash == 0 || slash == target.npos) return false;
        target.remove_prefix(slash);
    }
    if (target.find('#') != target.npos) return false;
    const auto question = target.find('?');
    request_.path = target.substr(0, question);
    request_.query = question == target.npos ? std::string_view{} : target.substr(question + 1);
    return true;
}

void MessageParser::on_field_impl(Field field, View name, View value, Error& error) {
    // Nothing here uses trailers, and Beast would accept folded ones.
    if (head_done_) return refuse(Code::malformed, error);
    if (request_.fields.size() >= max_fields_) return refuse(Code::header_too_large, error);
    request_.fields.push_back({view(name), view(value)});
    switch (field) {
        case Field::host:
            ++hosts_;
            if (!is_host(view(value))) refuse(Code::malformed, error);
            break;
        case Field::content_length:
            ++lengths_;
            // Beast also takes a list of equal numbers, which others read differently.
            if (!is_digits(view(value))) refuse(Code::malformed, error);
            break;
        case Field::transfer_encoding:
            ++encodings_;
            if (!equals_ignoring_case(view(value), "chunked")) refuse(Code::malformed, error);
            break;
        case Field::expect:
            expects_continue_ = equals_ignoring_case(view(value), "100-continue");
            break;
        default:
            break;
    }
}

void MessageParser::on_header_impl(Error& error) {
    head_done_ = true;
    request_.keep_alive = keep_alive();
    const bool host_ok = hosts_ == 1 || (hosts_ == 0 && request_.http_1_0);
    const bool length_ok = lengths_ + encodings_ <= 1 && !(encodings_ > 0 && request_.http_1_0);
    if (!host_ok || !length_ok) return refuse(Code::malformed, error);
    const auto length = content_length();
    if (length && *length > max_body_bytes_) refuse(Code::too_large, error);
}

void MessageParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, Error&) {
    if (length) body_.reserve(static_cast<std::size_t>(*length));
}

std::size_t MessageParser::on_body_impl(View piece, Error&) {
    body_.append(piece.data(), piece.size());
    return piece.size();
}

void MessageParser::on_chunk_header_impl(std::uint64_t, View extensions, Error& error) {
    if (extensions.size() > kMaxChunkExtension) refuse(Code::malformed, error);
}

std::size_t MessageParser::on_chunk_body_impl(std::uint64_t, View piece, Error& error) {
    if (body_.size() + piece.size() > max_body_bytes_) {
        refuse(Code::too_large, error);
        return 0;
    }
    return on_body_impl(piece, error);
}

}  // namespace sluice::http
