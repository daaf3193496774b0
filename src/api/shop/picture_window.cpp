#include "api/shop/picture_window.hpp"

#include "base/encoding.hpp"
#include "http/negotiation.hpp"

namespace sluice::api {
namespace {

/// What an address shows never changes, so browsers and caches need not ask again.
void answer_with(http::Exchange& exchange, const PictureName& name,
                 const PictureShelf::Jpeg& jpeg) {
    auto& response = exchange.response;
    const auto etag = "\"" + to_hex(name.hash) + "-" + std::to_string(name.width) + "\"";
    response.content_type = "image/jpeg";
    response.cache_control = "public, max-age=31536000, immutable";
    response.add_header("ETag", etag);
    if (http::is_known(exchange.request.list_header("If-None-Match"), etag))
        response.status = 304;
    else
        response.lend(*jpeg, jpeg);
}

}  // namespace

http::Pending PictureWindow::show(http::Exchange& exchange) {
    const auto name = parse_picture_name(exchange.parameters[0], exchange.parameters[1]);
    if (!name) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    const auto jpeg = shelf_.peek(*name);
    if (!jpeg) return look_up(exchange, *name);
    answer_with(exchange, *name, jpeg);
    return std::nullopt;
}

Task<> PictureWindow::look_up(http::Exchange& exchange, PictureName name) {
    const auto jpeg = co_await shelf_.find(name);
    if (jpeg)
        answer_with(exchange, name, jpeg);
    else
        exchange.refuse(http::Code::not_found);
}

}  // namespace sluice::api
