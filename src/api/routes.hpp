#pragma once

#include <array>

#include "domain/picture.hpp"
#include "http/route.hpp"

namespace sluice::api {

using http::Access;
using http::Method;
using http::Route;
using http::Surface;

// The rates themselves are in src/domain/rate_limits.hpp, since configuration and operators change
// them.
inline constexpr auto kReading = RateClass::reading;
inline constexpr auto kTyping = RateClass::typing;
inline constexpr auto kGuessing = RateClass::guessing;
inline constexpr auto kBuying = RateClass::buying;
inline constexpr auto kWorking = RateClass::working;
inline constexpr auto kProbing = RateClass::probing;

// Shorter names for the last columns.
inline constexpr bool kPlain = false;
inline constexpr bool kUpgrades = true;
inline constexpr bool kDespiteBlock = true;

// For pages, whose addresses people share with additions, and for routes of monitors, which add
// parameters of their own.
inline constexpr auto kLax = http::KnownQuery::Strictness::lax;

/// The whole API. Tests and the start check that the rows, the OpenAPI document and the handlers
/// agree.
inline constexpr std::array kRoutes{
    Route{"create_user", Method::post, "/api/v1/users", Access::anyone, kTyping},
    Route{"log_in", Method::post, "/api/v1/sessions", Access::anyone, kGuessing, Surface::shop,
          kPlain, kDespiteBlock},
    Route{"log_out_everywhere", Method::delete_, "/api/v1/sessions", Access::user, kTyping},
    Route{"show_session", Method::get, "/api/v1/sessions/current", Access::user, kReading,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"log_out", Method::delete_, "/api/v1/sessions/current", Access::user, kTyping,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"show_account_rules", Method::get, "/api/v1/account-rules", Access::anyone, kReading},
    Route{"send_phone_code", Method::post, "/api/v1/phone-codes", Access::anyone, kTyping},
    Route{"reset_password", Method::post, "/api/v1/password-resets", Access::anyone, kGuessing},
    Route{"change_password", Method::put, "/api/v1/password", Access::user, kGuessing,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"show_second_factor", Method::get, "/api/v1/second-factor", Access::user, kReading,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"begin_second_factor", Method::post, "/api/v1/second-factor", Access::user, kGuessing,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"confirm_second_factor", Method::put, "/api/v1/second-factor", Access::user, kGuessing,
          Surface::shop, kPlain, kDespiteBlock},
    Route{"remove_second_factor", Method::post, "/api/v1/second-factor/removal", Access::user,
          kGuessing, Surface::shop, kPlain, kDespiteBlock},
    Route{"show_contact", Method::get, "/api/v1/contact", Access::user, kReading, Surface::shop,
          kPlain, kDespiteBlock},
    Route{"put_contact", Method::put, "/api/v1/contact", Access::user, kTyping, Surface::shop,
          kPlain, kDespiteBlock},
    Route{"erase_contact", Method::delete_, "/api/v1/contact", Access::user, kTyping, Surface::shop,
          kPlain, kDespiteBlock}
        .taking({"orders"}),
    Route{"download_my_data", Method::get, "/api/v1/my-data", Access::user, kTyping, Surface::shop,
          kPlain, kDespiteBlock},
    Route{"show_time", Method::get, "/api/v1/time", Access::anyone, kReading},
    Route{"list_items", Method::get, "/api/v1/items", Access::anyone, kReading}.taking(
        {"archived", "cursor", "limit"}),
    Route{"show_item", Method::get, "/api/v1/items/{id}", Access::anyone, kReading},
    Route{"list_sales", Method::get, "/api/v1/sales", Access::anyone, kReading}.taking(
        {"state", "campaign", "tag", "cursor", "limit"}),
    Route{"show_sale", Method::get, "/api/v1/sales/{id}", Access::anyone, kReading},
    Route{"show_listing", Method::get, "/api/v1/sales/{id}/listing", Access::user, kReading},
    Route{"note_visit", Method::post, "/api/v1/sales/{id}/visits", Access::anyone, kReading},
    Route{"show_share_page", Method::get, "/s/{id}", Access::anyone, kReading}.taking({}, kLax),

    Route{"show_picture", Method::get, "/pictures/{hash}/{file}", Access::anyone, kReading}.taking(
        {}, kLax),
    Route{"create_challenge", Method::post, "/api/v1/sales/{id}/challenges", Access::buyers,
          kBuying},
    Route{"create_pass", Method::post, "/api/v1/sales/{id}/passes", Access::buyers, kBuying},
    Route{"buy", Method::post, "/api/v1/sales/{id}/orders/{pass}", Access::buyers, kBuying},
    Route{"show_ticket", Method::get, "/api/v1/tickets/{ticket}", Access::user, kReading},
    Route{"show_my_ticket", Method::get, "/api/v1/sales/{id}/ticket", Access::user, kReading},
    Route{"list_orders", Method::get, "/api/v1/orders", Access::user, kReading}.taking(
        {"cursor", "limit"}),
    Route{"show_order", Method::get, "/api/v1/orders/{id}", Access::user, kReading},
    Route{"cancel_order", Method::post, "/api/v1/orders/{id}/cancel", Access::user, kTyping},
    Route{"show_order_contact", Method::get, "/api/v1/orders/{id}/contact", Access::user, kReading},
    Route{"put_order_contact", Method::put, "/api/v1/orders/{id}/contact", Access::user, kTyping},
    Route{"begin_payment", Method::post, "/api/v1/orders/{id}/payments", Access::user, kTyping},
    Route{"open_stream", Method::get, "/api/v1/stream", Access::buyers, kReading, Surface::shop,
          kUpgrades},
    Route{"receive_payment_event", Method::post, "/api/v1/webhooks/payments/{provider}",
          Access::anyone, kWorking},

    Route{"show_sandbox_page", Method::get, "/sandbox/pay/{bill}", Access::anyone, kReading}.taking(
        {"lang"}, kLax),
    Route{"show_sandbox_file", Method::get, "/sandbox/{file}", Access::anyone, kReading}.taking(
        {}, kLax),
    Route{"list_sandbox_messages", Method::get, "/sandbox/messages", Access::anyone, kReading},
    Route{"show_sandbox_bill", Method::get, "/sandbox/bills/{bill}", Access::anyone, kReading},
    Route{"press_sandbox_button", Method::post, "/sandbox/bills/{bill}", Access::anyone, kTyping},

    Route{"create_item", Method::post, "/api/v1/admin/items", Access::operators, kWorking,
          Surface::office},
    Route{"edit_item", Method::put, "/api/v1/admin/items/{id}", Access::operators, kWorking,
          Surface::office},
    Route{"archive_item", Method::post, "/api/v1/admin/items/{id}/archive", Access::operators,
          kWorking, Surface::office},
    Route{"restore_item", Method::post, "/api/v1/admin/items/{id}/restore", Access::operators,
          kWorking, Surface::office},
    Route{"upload_picture", Method::post, "/api/v1/admin/pictures", Access::operators, kWorking,
          Surface::office}
        .with_body_up_to(kMostUploadBytes),
    Route{"remove_picture", Method::delete_, "/api/v1/admin/pictures/{hash}", Access::operators,
          kWorking, Surface::office},
    Route{"create_sale", Method::post, "/api/v1/admin/sales", Access::operators, kWorking,
          Surface::office},
    Route{"edit_sale", Method::put, "/api/v1/admin/sales/{id}", Access::operators, kWorking,
          Surface::office},
    Route{"pause_sale", Method::post, "/api/v1/admin/sales/{id}/pause", Access::operators, kWorking,
          Surface::office},
    Route{"resume_sale", Method::post, "/api/v1/admin/sales/{id}/resume", Access::operators,
          kWorking, Surface::office},
    Route{"end_sale", Method::post, "/api/v1/admin/sales/{id}/end", Access::operators, kWorking,
          Surface::office},
    Route{"restock_sale", Method::post, "/api/v1/admin/sales/{id}/restock", Access::operators,
          kWorking, Surface::office},
    Route{"show_buyer_list", Method::get, "/api/v1/admin/sales/{id}/list", Access::operators,
          kWorking, Surface::office},
    Route{"replace_buyer_list", Method::put, "/api/v1/admin/sales/{id}/list", Access::operators,
          kWorking, Surface::office},
    Route{"extend_buyer_list", Method::post, "/api/v1/admin/sales/{id}/list", Access::operators,
          kWorking, Surface::office},
    Route{"clear_buyer_list", Method::delete_, "/api/v1/admin/sales/{id}/list", Access::operators,
          kWorking, Surface::office},
    Route{"export_buyer_list", Method::get, "/api/v1/admin/sales/{id}/list.csv", Access::operators,
          kWorking, Surface::office},
    Route{"show_stats", Method::get, "/api/v1/admin/sales/{id}/stats", Access::operators, kWorking,
          Surface::office},
    Route{"list_stats_history", Method::get, "/api/v1/admin/sales/{id}/stats/history",
          Access::operators, kWorking, Surface::office}
        .taking({"resolution", "from", "to", "limit"}),
    Route{"show_holds", Method::get, "/api/v1/admin/sales/{id}/holds", Access::operators, kWorking,
          Surface::office},
    Route{"give_back_holds", Method::post, "/api/v1/admin/sales/{id}/holds/give-back",
          Access::operators, kWorking, Surface::office},
    Route{"audit_sale", Method::get, "/api/v1/admin/sales/{id}/audit", Access::operators, kWorking,
          Surface::office},
    Route{"list_any_orders", Method::get, "/api/v1/admin/orders", Access::staff, kWorking,
          Surface::office}
        .taking({"sale_id", "state", "buyer", "phone", "buyer_name", "money", "delivery",
                 "created_from", "created_to", "cursor", "limit"}),
    Route{"export_orders", Method::get, "/api/v1/admin/orders.csv", Access::operators, kWorking,
          Surface::office}
        .taking({"sale_id", "state", "buyer", "phone", "buyer_name", "money", "delivery",
                 "created_from", "created_to"}),
    Route{"show_any_order", Method::get, "/api/v1/admin/orders/{id}", Access::staff, kWorking,
          Surface::office},
    Route{"note_sent_back", Method::post, "/api/v1/admin/refunds/{id}/sent-back", Access::operators,
          kWorking, Surface::office},
    Route{"refund_order", Method::post, "/api/v1/admin/orders/{id}/refund", Access::staff, kWorking,
          Surface::office},
    Route{"change_delivery", Method::put, "/api/v1/admin/orders/{id}/delivery", Access::staff,
          kWorking, Surface::office},
    Route{"list_users", Method::get, "/api/v1/admin/users", Access::operators, kWorking,
          Surface::office}
        .taking({"phone", "role", "cursor", "limit"}),
    Route{"show_user", Method::get, "/api/v1/admin/users/{id}", Access::operators, kWorking,
          Surface::office},
    Route{"change_role", Method::put, "/api/v1/admin/users/{id}/role", Access::operators, kWorking,
          Surface::office},
    Route{"erase_contact_of_user", Method::delete_, "/api/v1/admin/users/{id}/contact",
          Access::operators, kWorking, Surface::office},
    Route{"show_contact_fields", Method::get, "/api/v1/admin/contact-fields", Access::operators,
          kWorking, Surface::office},
    Route{"change_contact_fields", Method::put, "/api/v1/admin/contact-fields", Access::operators,
          kWorking, Surface::office},
    Route{"list_blocks", Method::get, "/api/v1/admin/blocks", Access::operators, kWorking,
          Surface::office}
        .taking({"cursor", "limit"}),
    Route{"show_block", Method::get, "/api/v1/admin/blocks/{subject}", Access::operators, kWorking,
          Surface::office},
    Route{"put_block", Method::put, "/api/v1/admin/blocks/{subject}", Access::operators, kWorking,
          Surface::office},
    Route{"lift_block", Method::delete_, "/api/v1/admin/blocks/{subject}", Access::operators,
          kWorking, Surface::office},
    Route{"list_audit_trail", Method::get, "/api/v1/admin/audit-trail", Access::operators, kWorking,
          Surface::office}
        .taking({"action", "actor", "subject", "from", "to", "cursor", "limit"}),
    Route{"list_nodes", Method::get, "/api/v1/admin/nodes", Access::operators, kWorking,
          Surface::office},
    Route{"show_queue", Method::get, "/api/v1/admin/queue", Access::operators, kWorking,
          Surface::office},
    Route{"list_parked_tickets", Method::get, "/api/v1/admin/parked-tickets", Access::operators,
          kWorking, Surface::office}
        .taking({"cursor", "limit"}),
    Route{"retry_ticket", Method::post, "/api/v1/admin/parked-tickets/{ticket}/retry",
          Access::operators, kWorking, Surface::office},
    Route{"refuse_ticket", Method::post, "/api/v1/admin/parked-tickets/{ticket}/refuse",
          Access::operators, kWorking, Surface::office},
    Route{"show_limits", Method::get, "/api/v1/admin/limits", Access::operators, kWorking,
          Surface::office},
    Route{"change_limits", Method::put, "/api/v1/admin/limits", Access::operators, kWorking,
          Surface::office},
    Route{"list_webhooks", Method::get, "/api/v1/admin/webhooks", Access::operators, kWorking,
          Surface::office}
        .taking({"cursor", "limit"}),
    Route{"create_webhook", Method::post, "/api/v1/admin/webhooks", Access::operators, kWorking,
          Surface::office},
    Route{"delete_webhook", Method::delete_, "/api/v1/admin/webhooks/{id}", Access::operators,
          kWorking, Surface::office},
    Route{"list_deliveries", Method::get, "/api/v1/admin/webhooks/{id}/deliveries",
          Access::operators, kWorking, Surface::office}
        .taking({"state", "cursor", "limit"}),
    Route{"resend_delivery", Method::post, "/api/v1/admin/webhooks/deliveries/{id}/resend",
          Access::operators, kWorking, Surface::office},
    Route{"list_alerts", Method::get, "/api/v1/admin/alerts", Access::operators, kWorking,
          Surface::office},
    Route{"test_alert_channel", Method::post, "/api/v1/admin/alerts/{channel}/test",
          Access::operators, kWorking, Surface::office},

    Route{"livez", Method::get, "/livez", Access::anyone, kProbing, Surface::office}
        .taking({}, kLax)
        .of_machine_room(),
    Route{"readyz", Method::get, "/readyz", Access::anyone, kProbing, Surface::office}
        .taking({}, kLax)
        .of_machine_room(),
    Route{"metrics", Method::get, "/metrics", Access::anyone, kProbing, Surface::office}
        .taking({}, kLax)
        .of_machine_room(),
    Route{"openapi", Method::get, "/openapi.json", Access::anyone, kReading}
        .taking({}, kLax)
        .of_machine_room(),
};

}  // namespace sluice::api
