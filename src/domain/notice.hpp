#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/language.hpp"

namespace sluice {

/// What an audit, or a look at a part of the server, can say. The catalogue in domain/notice.cpp
/// has the stable name of each, and its sentence in each language. The comments name its arguments.
enum class NoticeRule {
    // The promises of the audit.
    promise_stock,
    promise_limits,
    promise_answers,
    promise_tickets,
    promise_captures,
    promise_refunds,
    promise_windows,
    promise_outbox,
    promise_trail,
    promise_archive,
    // What breaks them. The queries in audit.sql name these rules.
    row_without_origin,
    stock_does_not_add_up,       // sale, total, left, held, sold
    stock_differs_from_orders,   // sale, held, sold, pending, paid
    order_without_sale,          // order, sale
    units_break_limit,           // buyer, sale, live units, units in holdings, limit
    ticket_still_prepared,       // ticket, buyer, sale
    ticket_parked_and_decided,   // ticket, buyer, sale
    ticket_without_order,        // ticket, buyer, sale, order
    ticket_differs_from_order,   // ticket, buyer, sale, order
    ticket_not_found,            // ticket, buyer, sale
    order_without_ticket,        // order, sale
    order_lacks_payment_time,    // order, sale, state
    order_has_payment_time,      // order, sale, state
    capture_differs_from_order,  // order, sale, state, price, currency, captured, currency
    returned_capture_differs,    // the same
    order_without_one_capture,   // order, sale, state, captures
    charge_not_owed_back,        // charge, order, sale
    refund_elsewhere,            // charge, order, sale
    capture_sent_back,           // charge, order, sale, reason
    refund_of_other_order,       // charge, order, sale
    payment_differs_from_order,  // payment, order, sale, state, amount, currency
    claimed_before_start,        // ticket, buyer, sale
    claimed_after_window,        // ticket, buyer, sale
    claimed_after_end,           // ticket, buyer, sale
    claimed_in_pause,            // ticket, buyer, sale
    event_not_planned,           // webhook, event type, order
    event_never_due,             // webhook, event
    event_does_not_wait,         // webhook, event
    event_too_early,             // webhook, event
    event_missing,               // webhook, event
    deeds_lost,                  // deed, number
    deed_removed,                // deed
    deed_changed,                // deed
    deed_put_in,                 // deed
    archive_file_missing,        // sale
    archive_rows_changed,        // sale
    archive_stock_differs,       // sale
    ledger_lost,                 // what was found
    // What breaks nothing.
    tickets_waiting,        // prepared, parked
    tickets_waiting_since,  // prepared, parked, time
    nothing_owed,
    refunds_owed,         // number, provider, minor units, currency, time
    accepted_at_restore,  // introduces what was accepted
    and_more,             // number
    // The hot copy of a sale.
    copy_not_needed,
    copy_missing,   // time
    copy_drifting,  // time; introduces the differences
    copy_agreed,    // time
    copy_not_compared,
    copy_refilled,       // time; introduces the differences
    epoch_differs,       // in the copy, in the ledger
    left_differs,        // in the copy, in the ledger
    buyer_units_differ,  // buyer, in the copy, in the ledger
    sales_without_copy,  // number, first sale
    // The other parts of /readyz.
    ledger_fails,   // reason
    archive_fails,  // reason
    backup_failed,  // reason
    payments_off,
    clock_ahead_suspected,   // difference
    clock_behind_suspected,  // difference
    clock_ahead_followed,    // difference
    clock_behind_followed,   // difference
    clock_before_record,     // difference
    draining,
    broker_connecting,
    broker_away,  // reason
    broker_full,
    redis_silent,
    redis_away,         // reason
    redis_too_old,      // version
    redis_evicts_keys,  // policy
    redis_hides_config,
    redis_keeps_nothing,
    redis_save_failed,
    redis_replicas_unsure,
    redis_memory_nearly_full,  // bytes used, bytes at most
};
inline constexpr std::size_t kNoticeRules =
    static_cast<std::size_t>(NoticeRule::redis_memory_nearly_full) + 1;

/// Such as "stock_does_not_add_up".
std::string_view name_of(NoticeRule rule);
std::optional<NoticeRule> parse_notice_rule(std::string_view name);

/// Something that operators should know, by its rule and the arguments of the rule's sentence.
struct Notice {
    NoticeRule rule;
    std::vector<std::string> arguments;
    std::vector<Notice> about = {};  // what the sentence introduces

    template <class... Arguments>
    Notice(NoticeRule which, const Arguments&... given) : rule(which), arguments{text(given)...} {}

    Notice with(std::vector<Notice> introduced) && {
        about = std::move(introduced);
        return std::move(*this);
    }

    friend bool operator==(const Notice&, const Notice&) = default;

  private:
    static std::string text(std::integral auto number) { return std::to_string(number); }
    static std::string text(std::string_view words) { return std::string(words); }
};

/// How many arguments the sentence of the rule has.
std::size_t count_arguments(NoticeRule rule);

std::string text_of(const Notice& notice, Language language = Language::en);
/// All of them in one line; empty without any.
std::string text_of(const std::vector<Notice>& notices, Language language = Language::en);

}  // namespace sluice
