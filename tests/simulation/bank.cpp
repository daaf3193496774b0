#include "simulation/bank.hpp"

#include <iterator>

#include "base/outage.hpp"

namespace sluice::simulation {
namespace {

constexpr std::int64_t kBankLost = 6;  // one in so many requests, and answers
constexpr std::int64_t kTakenElsewhere = 8;

}  // namespace

std::size_t Bank::happen(Chance& chance) {
    const auto number = std::to_string(told_.size() + 1);
    const auto& payment =
        std::next(payments_.begin(), static_cast<std::ptrdiff_t>(chance.index(payments_.size())))
            ->second;
    Told told;
    const bool elsewhere = chance.one_in(kTakenElsewhere);
    told.event.provider = elsewhere ? std::string(kElsewhere) : payment.provider;
    told.event.id = "event " + number;
    told.event.payment = payment.id;
    told.event.type = chance.one_in(4) ? PaymentEvent::Type::payment_failed
                                       : PaymentEvent::Type::payment_succeeded;
    if (told.event.type == PaymentEvent::Type::payment_succeeded) {
        auto& charge = told.event.charge;
        charge.ref = "charge " + number;
        charge.amount_cents = payment.amount_cents + (chance.one_in(8) ? 1 : 0);
        charge.currency = payment.currency;
        taken_[charge.ref] = charge;
        if (elsewhere) taken_elsewhere_.insert(charge.ref);
    }
    told_.push_back(std::move(told));
    return told_.size() - 1;
}

std::size_t Bank::times_sent_back(const std::string& charge) const {
    const auto at = sent_back_.find(charge);
    return at == sent_back_.end() ? 0 : at->second.size();
}

Task<Bill> FarProvider::start(Payment payment) {
    co_await travel("the bank is told of a payment");
    bank_.know(payment);
    co_await travel("the bank answers");
    co_return Bill{"bill " + payment.id.text(), "/bill"};
}

Task<Done> FarProvider::refund(RefundWish wish) {
    co_await travel("the bank is asked for a refund");
    ++attempts_;
    const ChargeId key{wish.charge.id.value + (forgets_keys_ ? attempts_ : 0)};
    bank_.send_back(key, wish.charge);
    co_await travel("the bank has refunded");
    co_return Done{};
}

Task<> FarProvider::travel(const char* what) {
    co_await schedule_.pause(what);
    if (schedule_.strikes(kBankLost)) throw Outage("the bank does not answer");
}

}  // namespace sluice::simulation
