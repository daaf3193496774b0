#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "domain/complaint.hpp"
#include "domain/reason.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// More about a refusal. The API has its text in each language.
enum class Detail {
    none,
    wrong_credentials,
    phone_taken,
    changed_meanwhile,
    standing_sale_exists,
    too_many_items,
    too_many_sales,
    too_few_left,
    too_much_stock,
    not_pending,
    not_payable,
    not_paid,
    too_many_payments,
    no_provider,
    no_challenge_needed,
    flash_sale_runs,
    own_role,
    admins_only,
    last_admin,
    own_block,
    too_many_blocks,
    too_many_webhooks,
    orders_lost,
    no_messages,
    second_factor_needed,
    second_factor_wrong,
    has_second_factor,
    no_second_factor,
    second_factor_stays,
    outcome_unknown,
    pass_lapsed,
    place_missed,
    left_unpaid,
    network_full,
    item_on_sale,
    item_archived,
    list_full,
    listed_first,
    nothing_to_deliver,
    contact_fixed,
    too_many_pictures,
    picture_in_use,
};

struct FieldError {
    std::string field;
    Complaint complaint;

    friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// A refusal by the rules: a value, never an exception.
struct Refusal {
    Reason reason;
    Detail detail = Detail::none;
    std::vector<FieldError> errors = {};  // for Reason::invalid
    std::optional<TicketId> ticket = {};  // the one that the buyer has already
};

template <class T>
using Outcome = std::expected<T, Refusal>;

inline std::unexpected<Refusal> refuse(Reason reason, Detail detail = Detail::none) {
    return std::unexpected<Refusal>(Refusal{reason, detail, {}, {}});
}

inline std::unexpected<Refusal> refuse(Reason reason, const std::optional<TicketId>& ticket) {
    return std::unexpected<Refusal>(Refusal{reason, Detail::none, {}, ticket});
}

inline std::unexpected<Refusal> refuse(std::vector<FieldError> errors) {
    return std::unexpected<Refusal>(Refusal{Reason::invalid, Detail::none, std::move(errors), {}});
}

}  // namespace sluice
