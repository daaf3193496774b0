#include "api/idempotency.hpp"

#include <sodium.h>

#include "api/answers.hpp"
#include "base/ascii.hpp"
#include "base/encoding.hpp"

namespace sluice::api {

bool is_idempotency_key(std::string_view text) {
    return !text.empty() && text.size() <= 128 && is_visible_ascii(text);
}

bool Receipts::make(http::Exchange& exchange, std::string_view whose, std::string_view content,
                    std::optional<Receipt>& receipt) const {
    const auto key = exchange.request.find_header(kIdempotencyKey);
    if (!key) return true;
    if (!is_idempotency_key(*key)) {
        api::answer(exchange, Refusal{Reason::invalid,
                                      Detail::none,
                                      {{std::string(kIdempotencyKey), not_idempotency_key()}},
                                      {}});
        return false;
    }
    Receipt made{.scope = std::string(exchange.route->name) + ":" + std::string(whose),
                 .key = std::string(*key),
                 .body_digest = {},
                 .answer = {},
                 .at = clock_.now()};
    const auto body = bytes_of(content);
    crypto_generichash(made.body_digest.data(), made.body_digest.size(), body.data(), body.size(),
                       key_.data(), key_.size());
    receipt = std::move(made);
    return true;
}

Task<bool> Receipts::replay(http::Exchange& exchange, const std::optional<Receipt>& receipt) const {
    if (!receipt) co_return false;
    const auto earlier = co_await ledger_.find(*receipt);
    if (earlier && !earlier->first_answer) co_return false;
    answer_created(exchange, earlier, {});
    co_return true;
}

void answer_created(http::Exchange& exchange, const Outcome<Created>& created, std::string body) {
    if (!created) return answer(exchange, created.error());
    exchange.response.status = 201;
    if (created->first_answer) {
        exchange.response.add_header("Idempotency-Replayed", "true");
        exchange.response.body = *created->first_answer;
    } else {
        exchange.response.body = std::move(body);
    }
}

}  // namespace sluice::api
