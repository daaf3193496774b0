#include "domain/catalog_rules.hpp"

#include <utility>

namespace sluice {

bool stands(const Sale& sale) {
    return sale.kind == SaleKind::standing && !sale.ended_at;
}

std::optional<Refusal> why_not_added(const Sale& sale, const ItemFacts& facts) {
    if (auto no = why_not_changed(sale, facts.has_other_standing)) return no;
    if (facts.is_archived) return Refusal{Reason::conflict, Detail::item_archived};
    return std::nullopt;
}

std::optional<Refusal> why_not_changed(const Sale& after, bool has_other_standing) {
    if (stands(after) && has_other_standing)
        return Refusal{Reason::conflict, Detail::standing_sale_exists};
    return std::nullopt;
}

std::optional<Refusal> why_not_updated(const Item& after, bool has_sale_that_goes_on) {
    if (after.archived && has_sale_that_goes_on)
        return Refusal{Reason::conflict, Detail::item_on_sale};
    return std::nullopt;
}

Outcome<std::optional<std::string>> first_answer(std::optional<EarlierRequest> earlier,
                                                 const BodyDigest& body_digest) {
    if (!earlier) return std::nullopt;
    if (earlier->body_digest != body_digest) return refuse(Reason::idempotency_mismatch);
    return std::move(earlier->answer);
}

}  // namespace sluice
