#include "http/representation.hpp"

#include "http/negotiation.hpp"

namespace sluice::http {

void Representation::finish() {
    etag = etag_of(plain);
    headers = "ETag: " + etag + "\r\n";
    if (!brotli.empty() || !gzip.empty()) headers += "Vary: Accept-Encoding\r\n";
}

void Representation::answer(Exchange& exchange) const {
    const auto& request = exchange.request;
    auto& response = exchange.response;
    response.content_type = type;
    response.cache_control = cache_control;
    response.add_lines(headers);
    if (is_known(request.header("If-None-Match"), etag)) {
        response.status = 304;
        return;
    }
    const auto accepted = request.header("Accept-Encoding");
    if (!brotli.empty() && accepts_coding(accepted, "br")) {
        response.add_header("Content-Encoding", "br");
        response.lend(brotli);
    } else if (!gzip.empty() && accepts_coding(accepted, "gzip")) {
        response.add_header("Content-Encoding", "gzip");
        response.lend(gzip);
    } else {
        response.lend(plain);
    }
}

void Condenser::condense(Exchange& exchange) {
    auto& response = exchange.response;
    const auto& request = exchange.request;
    if (response.status != 200 || !is_safe(request.method)) return;
    const auto content = response.content();
    const bool lent = content.data() != response.body.data();  // and compressed by its owner
    if (content.size() < kWorthIt || lent || response.in_pieces()) return;
    // What caches may show for a moment says when it was made, and figures change with each look:
    // those never repeat.
    if (response.cache_control == "no-store" && response.content_type == "application/json") {
        const auto etag = etag_of(content);
        response.add_header("ETag", etag);
        if (is_known(request.header("If-None-Match"), etag)) {
            response.status = 304;
            return;
        }
    }
    response.add_header("Vary", "Accept-Encoding");
    if (exchange.lag > kTooLate || !accepts_coding(request.header("Accept-Encoding"), "gzip"))
        return;
    response.body = gzip_.compress(content);
    response.add_header("Content-Encoding", "gzip");
}

}  // namespace sluice::http
