#include "api/office/admin_blocks.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "app/catalog/json_view.hpp"
#include "base/encoding.hpp"

namespace sluice::api {
namespace {

/// The subject in the path; a network's slash comes as %2F.
Outcome<BlockSubject> subject_of(const http::Exchange& exchange) {
    return parse_block_subject(percent_decode(exchange.parameters[0]).value_or(""));
}

}  // namespace

http::Pending AdminBlocks::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto before = page->before ? std::optional(BlockId{*page->before}) : std::nullopt;
    const auto blocks = book_.list(before, page->limit + 1);
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(blocks.size(), page->limit); ++i)
        rows.push_back(to_json(blocks[i]));
    boost::json::object json{{"blocks", std::move(rows)}, {"next_cursor", nullptr}};
    if (blocks.size() > page->limit) json["next_cursor"] = blocks[page->limit - 1].id.text();
    answer(exchange, 200, json);
    return std::nullopt;
}

http::Pending AdminBlocks::show(http::Exchange& exchange) {
    const auto subject = subject_of(exchange);
    const auto block = subject ? book_.find(*subject) : std::nullopt;
    if (block)
        answer(exchange, 200, to_json(*block));
    else
        exchange.refuse(http::Code::not_found);
    return std::nullopt;
}

http::Pending AdminBlocks::put(http::Exchange& exchange) {
    JsonReader in(exchange, true);
    BlockBook::Wish wish{.reason = in.text("reason").value_or(""),
                         .until = in.time_or_null("until").value_or(std::nullopt)};
    if (!in.finish()) return std::nullopt;
    const auto subject = subject_of(exchange);
    if (!subject) {
        answer(exchange, subject.error());
        return std::nullopt;
    }
    return change(exchange, *subject, std::move(wish));
}

Task<> AdminBlocks::change(http::Exchange& exchange, BlockSubject subject, BlockBook::Wish wish) {
    auto actor = actor_of(exchange);
    const auto block =
        co_await book_.put(subject, std::move(wish), std::move(actor), exchange.client);
    if (block)
        answer(exchange, 200, to_json(*block));
    else
        answer(exchange, block.error());
}

http::Pending AdminBlocks::lift(http::Exchange& exchange) {
    const auto subject = subject_of(exchange);
    if (!subject) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    return remove(exchange, *subject);
}

Task<> AdminBlocks::remove(http::Exchange& exchange, BlockSubject subject) {
    auto actor = actor_of(exchange);
    const auto done = co_await book_.lift(subject, std::move(actor));
    if (done)
        exchange.response.status = 204;
    else
        answer(exchange, done.error());
}

}  // namespace sluice::api
