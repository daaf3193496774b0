#include "api/shop/webhooks_in.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/payment_words.hpp"
#include "base/ascii.hpp"
#include "domain/event_signature.hpp"

namespace sluice::api {
namespace {

constexpr std::size_t kLongestName = 128;

/// A name that the provider has given to something.
std::string read_name(JsonReader& in, std::string_view field) {
    auto name = in.text(field).value_or("");
    if (name.empty() || name.size() > kLongestName || !is_visible_ascii(name))
        in.complain(field, Complaint(Rule::ascii_from_to, 1, 128));
    return name;
}

/// An id that cannot be read becomes 0, which is never an id of ours: it is answered like an
/// unknown one.
template <class SomeId>
SomeId read_id(JsonReader& in, std::string_view field) {
    return SomeId::parse(in.required_text(field)).value_or(SomeId{});
}

Charge read_charge(JsonReader& in) {
    Charge charge;
    charge.ref = read_name(in, "charge_id");
    const auto amount = in.whole_number("amount_cents");
    if (!amount || *amount < 0) in.complain("amount_cents", Rule::negative);
    charge.amount_cents = amount.value_or(0);
    charge.currency = read_name(in, "currency");
    return charge;
}

}  // namespace

http::Pending WebhooksIn::receive(http::Exchange& exchange) {
    const auto headroom = forgeries_.look(exchange.client, exchange.began);
    if (headroom.waits()) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return std::nullopt;
    }
    const auto* sender = find_sender(exchange);
    if (!sender) return std::nullopt;

    JsonReader in(exchange);
    in.ignore_unknown_fields();
    PaymentEvent event;
    event.provider = sender->provider;
    event.id = read_name(in, "id");
    const auto type_text = in.required_text("type");
    const auto type = parse_payment_event_type(type_text);
    if (type) {
        event.type = *type;
        event.payment = read_id<PaymentId>(in, "payment_id");
    }
    if (type == PaymentEvent::Type::payment_succeeded) event.charge = read_charge(in);
    if (type == PaymentEvent::Type::refund_succeeded)
        event.refund = read_id<ChargeId>(in, "refund_id");
    if (!in.finish()) return std::nullopt;
    if (type) return carry_out(exchange, std::move(event));
    // Providers send events of types that we do not know. These get 200, so that they are not
    // repeated.
    answer(exchange, 200, {{"event_id", event.id}, {"outcome", "ignored"}});
    return std::nullopt;
}

/// The sender whose secret signed the request. If there is none, returns nullptr and answers with a
/// problem. A signature that is too old by the shop's time is accepted if it fits the system's
/// clock.
const WebhooksIn::Sender* WebhooksIn::find_sender(http::Exchange& exchange) {
    const auto address = exchange.parameters[0];
    std::optional<SignatureFlaw> flaw;
    for (const auto& sender : senders_) {
        if (sender.address != address) continue;
        const auto flaw_by = [&](const Clock& clock) {
            return find_flaw(exchange.request.header(kSignatureHeader), exchange.request.body,
                             sender.secrets, clock.now(), tolerance_);
        };
        flaw = flaw_by(clock_);
        if (flaw == SignatureFlaw::stale) flaw = flaw_by(wall_);
        if (!flaw) return &sender;
    }
    if (!flaw) {
        exchange.refuse(http::Code::not_found);
        return nullptr;
    }
    refuse_forgery(exchange, to_string(*flaw));
    return nullptr;
}

void WebhooksIn::refuse_forgery(http::Exchange& exchange, std::string_view flaw) {
    forgeries_.note_wrong(exchange.client, exchange.began);
    if (const auto left_out = refusals_.admit(exchange.began))
        log_.warn("webhook.refused", {{"address", exchange.parameters[0]},
                                      {"signature", flaw},
                                      {"client", exchange.client.text()},
                                      {"request_id", exchange.context.request_id},
                                      {"lines_left_out", *left_out}});
    answer(exchange, http::Code::forbidden, Remark::bad_signature);
}

Task<> WebhooksIn::carry_out(http::Exchange& exchange, PaymentEvent event) {
    const auto id = event.id;
    const auto payment = event.payment;
    const auto outcome = co_await hear_.hear(std::move(event));
    if (!outcome) {
        log_.warn("webhook.refused", {{"payment", payment.text()},
                                      {"event", id},
                                      {"reason", "there is no such payment"},
                                      {"request_id", exchange.context.request_id}});
        answer(exchange, outcome.error());
        co_return;
    }
    answer(exchange, 200, {{"event_id", id}, {"outcome", shown_outcome(to_string(*outcome))}});
}

}  // namespace sluice::api
