#include "app/purchase/turnstile.hpp"

#include "app/catalog/sold_out_flags.hpp"
#include "app/passes/entry.hpp"

namespace sluice {

Outcome<Purchase::Attempt> Turnstile::consider(const Wish& wish, const Caller& buyer) const {
    const auto displayed = catalog_.sale(wish.sale);
    if (!displayed) return refuse(Reason::not_found);
    const Sale& sale = displayed->sale;
    const auto pass = passes_.read(wish.pass, buyer.id, sale.id);
    if (!pass) return refuse(Reason::pass_invalid);

    const auto now = clock_.now();
    const auto glance = gate_.glance(sale.id, buyer.id);
    auto refusal = refusal_for(wish, *pass, *displayed, glance, now);
    // Replay comes before refusal, but only a buyer with a past can repeat anything. Without a hot
    // copy, as for a sale that ended minutes ago, we do not know here who has one.
    const bool maybe_replay = glance.history || !glance.warm;
    if (refusal && !maybe_replay) return std::unexpected(std::move(*refusal));

    std::optional<Mark> key;
    if (!wish.key.empty()) key = marks_.of_key(sale.id, buyer.id, wish.key);
    return Purchase::Attempt{.ticket = {.id = marks_.ticket(sale.id, sale.epoch, buyer.id,
                                                            wish.quantity, pass->mark, key),
                                        .buyer = buyer.id,
                                        .quantity = wish.quantity,
                                        .epoch = sale.epoch,
                                        .pass = pass->mark,
                                        .key = key,
                                        .claimed_at = now},
                             .limit = sale.limit_per_buyer,
                             .maybe_replay = maybe_replay,
                             .refusal = std::move(refusal)};
}

std::optional<Refusal> Turnstile::refusal_for(const Wish& wish, const Pass& pass,
                                              const DisplayedSale& displayed,
                                              const StockGate::Glance& glance,
                                              Timestamp now) const {
    const auto because = [](Reason reason) { return Refusal{reason, Detail::none, {}, {}}; };
    const Sale& sale = displayed.sale;
    if (pass.expires_at <= now) return because(Reason::pass_invalid);
    if (const auto closed = closed_because(sale, now)) return because(*closed);
    if (gives_way(catalog_, sale, now))
        return Refusal{Reason::conflict, Detail::flash_sale_runs, {}, {}};
    if (wish.quantity > sale.limit_per_buyer)
        return Refusal{Reason::invalid,
                       Detail::none,
                       {{"quantity", Complaint(Rule::from_to, 1, sale.limit_per_buyer)}},
                       {}};
    if (!glance.warm) return because(Reason::unavailable);
    // The limit comes first: a buyer who holds units is answered with their ticket, not with the
    // stock.
    if (glance.units + wish.quantity > sale.limit_per_buyer) return std::nullopt;
    // A buyer with a past may have taken the last unit with this same wish. Only the claim shows
    // that.
    if (SoldOutFlags::is_up(displayed) && !glance.history) return because(Reason::sold_out);
    if (!admission_.admit(intake_.backlog())) return because(Reason::busy);
    return std::nullopt;
}

}  // namespace sluice
