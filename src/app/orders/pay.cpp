#include "app/orders/pay.hpp"

namespace sluice {

Task<Outcome<Pay::Begun>> Pay::begin(OrderId order, UserId buyer) {
    if (!provider_) co_return refuse(Reason::conflict, Detail::no_provider);
    const auto now = clock_.now();
    Payment draft;
    draft.id = PaymentId{ids_.next(now)};
    draft.order = order;
    draft.provider = provider_->name();
    draft.created_at = now;
    auto payment = co_await ledger_.begin(std::move(draft), buyer);
    if (!payment) co_return std::unexpected(payment.error());
    Begun begun{std::move(*payment), true};
    if (begun.payment.bill) co_return begun;
    begun.payment.bill = co_await provider_->start(begun.payment);
    begun.kept = false;
    co_return begun;
}

Task<Outcome<Created>> Pay::keep(Begun begun, std::optional<Receipt> receipt) {
    if (begun.kept && !receipt) co_return Created{};
    auto kept = co_await ledger_.keep_bill(begun.payment.id, *begun.payment.bill, receipt);
    co_return kept;
}

}  // namespace sluice
