#include "sandbox/sandbox_till.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice::sandbox {

std::optional<SandboxTill::Button> SandboxTill::parse_button(std::string_view text) {
    if (text == "succeed") return Button::succeed;
    if (text == "fail") return Button::fail;
    if (text == "delay") return Button::delay;
    if (text == "twice") return Button::twice;
    return std::nullopt;
}

Task<std::optional<SandboxLedger::Account>> SandboxTill::find(std::string ref) {
    return ledger_.find(std::move(ref));
}

Task<Outcome<SandboxLedger::Account>> SandboxTill::press(std::string ref, Button button,
                                                         std::chrono::seconds delay) {
    const auto account = co_await ledger_.find(ref);
    if (!account) co_return refuse(Reason::not_found);
    const auto now = clock_.now();
    const auto due = button == Button::delay ? now + delay : now;
    const bool pays = button != Button::fail;
    const auto type =
        pays ? PaymentEvent::Type::payment_succeeded : PaymentEvent::Type::payment_failed;
    std::vector<SandboxLedger::Letter> letters;
    letters.push_back(write_letter(*account, type, now, due));
    if (button == Button::twice) letters.push_back(write_letter(*account, type, now, due));
    auto pressed = co_await ledger_.press(std::move(ref), pays, std::move(letters));
    if (pressed) on_letters_();
    co_return pressed;
}

SandboxLedger::Letter SandboxTill::write_letter(const SandboxLedger::Account& account,
                                                PaymentEvent::Type type, Timestamp now,
                                                Timestamp due) {
    const LetterId id{ids_.next(now)};
    boost::json::object event{{"id", "evt-" + id.text()},
                              {"type", to_string(type)},
                              {"payment_id", account.payment.text()},
                              {"created_at", to_rfc3339(now)}};
    if (type == PaymentEvent::Type::payment_succeeded) {
        event["charge_id"] = "chg-" + id.text();
        event["amount_cents"] = account.amount_cents;
        event["currency"] = account.currency;
    }
    return {.id = id, .body = boost::json::serialize(event), .due_at = due, .attempts = 0};
}

}  // namespace sluice::sandbox
