#include "api/office/admin_pictures.hpp"

#include <utility>

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "base/encoding.hpp"

namespace sluice::api {
namespace {

/// By the Content-Type of a body that is not encoded otherwise.
std::optional<PictureKind> picture_kind_of(const http::Request& request) {
    const auto encoding = request.header("Content-Encoding");
    if (!encoding.empty() && !http::equals_ignoring_case(encoding, "identity")) return std::nullopt;
    const auto type = request.header("Content-Type");
    if (http::equals_ignoring_case(type, "image/jpeg")) return PictureKind::jpeg;
    if (http::equals_ignoring_case(type, "image/png")) return PictureKind::png;
    return std::nullopt;
}

boost::json::object to_json(const Picture& picture) {
    boost::json::array sizes;
    for (const auto& size : picture.sizes)
        sizes.push_back({{"url", address_of({picture.hash, size.width})},
                         {"width", size.width},
                         {"height", size.height},
                         {"bytes", size.jpeg.size()}});
    return {{"hash", to_hex(picture.hash)},
            {"url", address_of({picture.hash, picture.sizes.back().width})},
            {"sizes", std::move(sizes)}};
}

}  // namespace

http::Pending AdminPictures::upload(http::Exchange& exchange) {
    const auto kind = picture_kind_of(exchange.request);
    if (!kind) {
        answer(exchange, http::Code::unsupported_media_type, Remark::not_a_picture);
        return std::nullopt;
    }
    const auto head = PictureDesk::judge(exchange.request.body, *kind);
    if (!head) {
        answer(exchange, head.error());
        return std::nullopt;
    }
    return take(exchange, *head);
}

Task<> AdminPictures::take(http::Exchange& exchange, PictureHead head) {
    // The body stays where it is until the answer is written.
    auto actor = actor_of(exchange);
    const auto taken = co_await desk_.take(exchange.request.body, head, std::move(actor));
    if (!taken)
        answer(exchange, taken.error());
    else
        answer(exchange, taken->is_new ? 201 : 200, to_json(taken->picture));
}

http::Pending AdminPictures::remove(http::Exchange& exchange) {
    const auto hash = parse_picture_hash(exchange.parameters[0]);
    if (hash) return remove_one(exchange, *hash);
    exchange.refuse(http::Code::not_found);
    return std::nullopt;
}

Task<> AdminPictures::remove_one(http::Exchange& exchange, PictureHash hash) {
    auto actor = actor_of(exchange);
    const auto removed = co_await desk_.remove(hash, std::move(actor));
    if (removed)
        exchange.response.status = 204;
    else
        answer(exchange, removed.error());
}

}  // namespace sluice::api
