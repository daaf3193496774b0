#pragma once

#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/language.hpp"

namespace sluice {

/// The kinds of alerts that operators get.
enum class AlertKind {
    sold_out,               // a sale has nothing left; the subject is the sale
    not_ready,              // /readyz is red; the subject is the part
    impaired,               // a part is ready and has a complaint; the subject is the part
    clock,                  // the time is in doubt
    drift,                  // a hot copy differed from the ledger
    errors,                 // many requests fail
    webhook_given_up,       // deliveries are dead
    audit_failed,           // the subject is the check
    backup_old,             // there is no fresh backup
    queue_late,             // queued tickets wait longer than buyers are told
    ticket_parked,          // a ticket cannot be written, and waits for an operator
    unconfirmed,            // the broker has not taken messages that were posted
    redelivered,            // messages come again and again
    second_factor_guessed,  // by somebody who has the password; the subject is the user
    test,                   // an operator has pressed the button
};

/// Something that has happened, a trouble that has begun, or one that is over.
enum class AlertPhase { event, begun, over };

struct Alert {
    AlertKind kind = AlertKind::test;
    AlertPhase phase = AlertPhase::event;
    std::string subject;  // empty for a kind with only one
    std::string detail;   // further details
    Timestamp at;
};

std::string_view to_string(AlertKind);
std::string_view to_string(AlertPhase);

/// Whether it is about something that all nodes share. If not, it is about the node that reports
/// it.
bool is_about_shop(AlertKind);

/// One line about what has happened.
std::string headline_of(const Alert&, Language);

/// At most this many bytes, without cutting a character in two; a text that was cut ends in "…".
std::string shortened(std::string_view utf8, std::size_t most);

/// Without control characters: each becomes a space.
std::string on_one_line(std::string_view utf8);

/// An alert as text for people, with what a channel needs besides.
struct AlertMessage {
    static constexpr std::size_t kLongestDetail = 500;
    static constexpr std::size_t kLongestSubject = 100;
    static constexpr std::size_t kLongestFrom = 300;

    std::string id;  // the same when it is sent again
    Alert alert;
    std::string headline;
    std::string from;  // which shop, and which node of it

    /// The headline, the detail, and where and when, each on a line.
    std::string text() const;
};

/// Bounded in length, and each part on one line.
AlertMessage make_message(std::string id, Alert alert, std::string_view from, Language language);

}  // namespace sluice
