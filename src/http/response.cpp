#include "http/response.hpp"

#include <charconv>

namespace sluice::http {
namespace {

constexpr std::size_t kCopyLimit = 32 * 1024;

/// On every answer. The pages need no inline script or style, and load nothing from other hosts but
/// pictures of items.
constexpr std::string_view kSecurityHeaders =
    "Content-Security-Policy: default-src 'self'; img-src 'self' data: https: http:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n";

/// A year, for this host alone: other hosts of its domain may belong to somebody else.
constexpr std::string_view kStrictTransport = "Strict-Transport-Security: max-age=31536000\r\n";

void append_security_headers(std::string& out, const Framing& framing) {
    out.append(kSecurityHeaders);
    if (framing.https) out.append(kStrictTransport);
}

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200:
            return "200 OK";
        case 201:
            return "201 Created";
        case 202:
            return "202 Accepted";
        case 204:
            return "204 No Content";
        case 304:
            return "304 Not Modified";
        case 400:
            return "400 Bad Request";
        case 401:
            return "401 Unauthorized";
        case 403:
            return "403 Forbidden";
        case 404:
            return "404 Not Found";
        case 405:
            return "405 Method Not Allowed";
        case 409:
            return "409 Conflict";
        case 413:
            return "413 Content Too Large";
        case 415:
            return "415 Unsupported Media Type";
        case 422:
            return "422 Unprocessable Content";
        case 426:
            return "426 Upgrade Required";
        case 429:
            return "429 Too Many Requests";
        case 431:
            return "431 Request Header Fields Too Large";
        case 503:
            return "503 Service Unavailable";
        default:
            return "500 Internal Server Error";
    }
}

void append_number(std::string& out, std::size_t value) {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    out.append(digits, end);
}

}  // namespace

void Response::add_header(std::string_view name, std::string_view value) {
    extra_.append(name).append(": ").append(value).append("\r\n");
}

void Response::lend(std::string_view bytes, std::shared_ptr<const void> owner) {
    lent_ = bytes;
    owner_ = std::move(owner);
}

void Response::clear() {
    status = 200;
    content_type = "application/json";
    cache_control = "no-store";
    problem.reset();
    body.clear();
    extra_.clear();
    lent_ = {};
    owner_.reset();
    pieces_.reset();
}

void append_common_headers(std::string& out, const Framing& framing) {
    out.append("Date: ").append(framing.date);
    out.append("\r\nX-Request-Id: ").append(framing.request_id).append("\r\n");
    append_security_headers(out, framing);
}

bool append_response(std::string& out, const Response& response, const Framing& framing) {
    const auto content = response.content();
    const bool bodiless = response.status == 204 || response.status == 304;

    out.append("HTTP/1.1 ").append(reason_phrase(response.status)).append("\r\nDate: ");
    out.append(framing.date);
    if (!bodiless) {
        out.append("\r\nContent-Type: ").append(response.content_type);
        if (!response.in_pieces()) {
            out.append("\r\nContent-Length: ");
            append_number(out, content.size());
        } else if (!framing.http_1_0) {
            out.append("\r\nTransfer-Encoding: chunked");
        }
    }
    out.append("\r\nCache-Control: ").append(response.cache_control);
    out.append("\r\nX-Request-Id: ").append(framing.request_id).append("\r\n");
    if (!framing.keep_alive)
        out.append("Connection: close\r\n");
    else if (framing.http_1_0)
        out.append("Connection: keep-alive\r\n");
    append_security_headers(out, framing);
    out.append(response.extra_headers()).append("\r\n");

    if (bodiless || framing.head_only) return true;
    if (response.in_pieces() || content.size() > kCopyLimit) return false;
    out.append(content);
    return true;
}

void append_piece(std::string& out, std::string_view piece, bool last, bool http_1_0) {
    if (http_1_0) {
        out.append(piece);
        return;
    }
    if (!piece.empty()) {  // an empty chunk would be the last
        char digits[16];
        const auto [end, error] = std::to_chars(digits, digits + sizeof digits, piece.size(), 16);
        out.append(digits, end).append("\r\n").append(piece).append("\r\n");
    }
    if (last) out.append("0\r\n\r\n");
}

}  // namespace sluice::http
