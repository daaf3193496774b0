#include "sandbox/sandbox_provider.hpp"

#include <stdexcept>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice::sandbox {

Task<Bill> SandboxProvider::start(Payment payment) {
    SandboxLedger::Account draft;
    draft.ref = names_.make(random_);
    draft.payment = payment.id;
    draft.amount_cents = payment.amount_cents;
    draft.currency = payment.currency;
    const auto account = co_await ledger_.open(std::move(draft), clock_.now());
    co_return Bill{account.ref, "/sandbox/pay/" + account.ref};
}

Task<Done> SandboxProvider::refund(RefundWish wish) {
    const auto now = clock_.now();
    const LetterId id{ids_.next(now)};
    const boost::json::object event{{"id", "evt-" + id.text()},
                                    {"type", to_string(PaymentEvent::Type::refund_succeeded)},
                                    {"payment_id", wish.payment.text()},
                                    {"refund_id", wish.charge.id.text()},
                                    {"created_at", to_rfc3339(now)}};
    SandboxLedger::Letter letter;
    letter.id = id;
    letter.body = boost::json::serialize(event);
    letter.due_at = now;
    const auto key = wish.charge.id.text();
    const auto noted =
        co_await ledger_.refund(key, wish.payment, std::move(wish.charge), std::move(letter));
    if (!noted) throw std::runtime_error("the sandbox has no paid bill for this payment");
    on_letters_();
    co_return Done{};
}

}  // namespace sluice::sandbox
