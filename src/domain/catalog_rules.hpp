#pragma once

#include <array>
#include <optional>
#include <string>

#include "domain/item.hpp"
#include "domain/refusal.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// Whether it is a standing sale that nobody has ended. For any other sale it does not matter
/// whether its item has a standing one.
bool stands(const Sale& sale);

/// The facts of the ledger about a sale's item when the sale is written.
struct ItemFacts {
    bool is_archived = false;
    bool has_other_standing = false;  // another standing sale of it has not ended
};
/// Why the new sale cannot be written; nullopt when it can. An item has one standing sale at a
/// time, and none when it is archived.
std::optional<Refusal> why_not_added(const Sale& sale, const ItemFacts& facts);
/// Why a sale cannot become `after`; nullopt when it can. The sales of an item have ended when it
/// is archived, so whether it is archived does not count.
std::optional<Refusal> why_not_changed(const Sale& after, bool has_other_standing);

/// Why an item cannot become `after`; nullopt when it can. An item is archived only after the end
/// of all its sales.
std::optional<Refusal> why_not_updated(const Item& after, bool has_sale_that_goes_on);

using BodyDigest = std::array<unsigned char, 32>;

/// What the ledger has kept of an earlier request with the same Idempotency-Key.
struct EarlierRequest {
    BodyDigest body_digest{};
    std::string answer;
};
/// The first answer, when this request was carried out before; nullopt when it is new. A key with
/// another body is refused.
Outcome<std::optional<std::string>> first_answer(std::optional<EarlierRequest> earlier,
                                                 const BodyDigest& body_digest);

}  // namespace sluice
