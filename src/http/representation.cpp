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
    if (is_known(request.list_header("If-None-Match"), etag)) {
        response.status = 304;
        return;
    }
    lend(exchange);
}

void Representation::lend(Exchange& exchange) const {
    auto& response = exchange.response;
    const auto coding = choose_coding(exchange.request.list_header("Accept-Encoding"),
                                      {brotli.empty() ? "" : "br", gzip.empty() ? "" : "gzip"});
    if (!coding.empty()) response.add_header("Content-Encoding", coding);
    response.lend(coding == "br" ? brotli : coding == "gzip" ? gzip : plain);
}

void Condenser::condense(Exchange& exchange) {
    auto& response = exchange.response;
    const auto& request = exchange.request;
    if (response.status != 200 || !is_safe(request.method)) return;
    const auto content = response.content();
    const bool lent = content.data() != response.body.data();  // and compressed by its owner
    if (content.size() < kWorthIt || lent || response.in_pieces()) return;
    response.add_header("Vary", "Accept-Encoding");  // on a 304 too, which stands for the 200
    // Only answers that can be the same twice get an ETag. Answers that caches may show for a
    // moment contain the time, and metrics change with each request.
    if (response.cache_control == "no-store" && response.content_type == "application/json") {
        const auto etag = etag_of(content);
        response.add_header("ETag", etag);
        if (is_known(request.list_header("If-None-Match"), etag)) {
            response.status = 304;
            return;
        }
    }
    if (exchange.lag > kTooLate ||
        choose_coding(request.list_header("Accept-Encoding"), {"gzip"}).empty())
        return;
    response.body = gzip_.compress(content);
    response.add_header("Content-Encoding", "gzip");
}

}  // namespace sluice::http
