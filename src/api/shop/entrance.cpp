#include "api/shop/entrance.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "app/entry.hpp"
#include "base/encoding.hpp"

namespace sluice::api {
namespace {

using http::Code;
using Verdict = ChallengeDesk::Verdict;

constexpr std::size_t kLongestId = 64;  // longer than any of ours

std::optional<std::string> short_text(JsonReader& in, std::string_view field, std::size_t most) {
    auto text = in.text(field);
    if (text && text->size() > most) in.complain(field, {Rule::most_bytes, most});
    return text;
}

void answer_pass(http::Exchange& exchange, const PassDesk::Issued& issued) {
    answer(exchange, 201, {{"pass", issued.pass}, {"expires_at", to_rfc3339(issued.expires_at)}});
}

void refuse_full(http::Exchange& exchange, std::chrono::seconds retry_after, Detail detail) {
    http::write_retry_after(exchange.response, static_cast<int>(retry_after.count()));
    answer(exchange, Refusal{Reason::gate_closed, detail, {}, {}});
}

void refuse_full(http::Exchange& exchange, const PassDesk::Full& full) {
    refuse_full(exchange, full.retry_after, full.has_lapsed ? Detail::pass_lapsed : Detail::none);
}

}  // namespace

http::Pending Entrance::create_challenge(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    const Sale& sale = displayed->sale;
    const auto glance = gate_.glance(sale.id, exchange.caller->id);
    const auto now = clock_.now();
    const bool stands_back = gives_way(catalog_, sale, now);
    if (const auto reason = reason_to_stay_out(sale, glance, stands_back, now))
        return turn_away(exchange, sale.id, *reason);
    if (glance.history) return offer_again(exchange, displayed);
    return offer(exchange, sale);
}

http::Pending Entrance::offer(http::Exchange& exchange, const Sale& sale) {
    if (sale.challenge == Challenge::math) {
        if (guessed_too_often(exchange)) return std::nullopt;
        return offer_formula(exchange, sale.id);
    }
    if (sale.challenge == Challenge::pow)
        offer_work(exchange, sale);
    else
        answer(exchange, Refusal{Reason::conflict, Detail::no_challenge_needed, {}, {}});
    return std::nullopt;
}

http::Pending Entrance::create_pass(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    JsonReader in(exchange, true);
    const Shown shown{.challenge_id = short_text(in, "challenge_id", kLongestId),
                      .answer = short_text(in, "answer", ChallengeDesk::kLongestAnswer)};
    if (!in.finish()) return std::nullopt;
    const Sale& sale = displayed->sale;
    const auto now = clock_.now();
    const auto glance = gate_.glance(sale.id, exchange.caller->id);
    const bool stands_back = gives_way(catalog_, sale, now);
    if (const auto reason = reason_to_stay_out(sale, glance, stands_back, now))
        return turn_away(exchange, sale.id, *reason);
    if (glance.history) return admit_again(exchange, displayed, glance.left, shown);
    admit(exchange, sale, glance.left * sale.gate_factor, shown, now);
    return std::nullopt;
}

/// A buyer who has been here before may have left orders unpaid.
Task<> Entrance::offer_again(http::Exchange& exchange,
                             std::shared_ptr<const DisplayedSale> displayed) {
    const bool waits = co_await waits_for_unpaid(exchange, displayed->sale);
    if (waits) co_return;
    auto work = offer(exchange, displayed->sale);
    if (work) co_await std::move(*work);
}

Task<> Entrance::admit_again(http::Exchange& exchange,
                             std::shared_ptr<const DisplayedSale> displayed, std::int64_t left,
                             Shown shown) {
    const Sale& sale = displayed->sale;
    if (tried_too_often(exchange, sale.id)) co_return;
    const bool waits = co_await waits_for_unpaid(exchange, sale);
    if (waits) co_return;
    admit(exchange, sale, left * sale.gate_factor, shown, clock_.now());
    if (exchange.response.status == 201)
        attempts_.note(exchange.caller->id, sale.id, exchange.began);
}

Task<bool> Entrance::waits_for_unpaid(http::Exchange& exchange, const Sale& sale) {
    const auto unpaid = co_await ledger_.unpaid_holds(sale.id, exchange.caller->id);
    const auto until = unpaid_wait_until(unpaid, sale);
    const auto now = clock_.now();
    if (!until || *until <= now) co_return false;
    const auto wait = std::chrono::ceil<std::chrono::seconds>(*until - now);
    refuse_full(exchange, wait, Detail::left_unpaid);
    co_return true;
}

bool Entrance::guessed_too_often(http::Exchange& exchange) const {
    const auto headroom = guesses_.look(exchange.caller->id, exchange.began);
    if (headroom.count.wait.count() == 0) return false;
    gate::refuse(exchange, headroom, Code::rate_limited);
    return true;
}

bool Entrance::tried_too_often(http::Exchange& exchange, SaleId sale) const {
    const auto headroom = attempts_.look(exchange.caller->id, sale, exchange.began);
    if (headroom.count.wait.count() == 0) return false;
    gate::refuse(exchange, headroom, Code::rate_limited);
    return true;
}

http::Pending Entrance::turn_away(http::Exchange& exchange, SaleId sale, Reason reason) {
    if (reason == Reason::limit_reached) return tell_limit(exchange, sale);
    const auto detail = reason == Reason::conflict ? Detail::flash_sale_runs : Detail::none;
    answer(exchange, Refusal{reason, detail, {}, {}});
    return std::nullopt;
}

Task<> Entrance::tell_limit(http::Exchange& exchange, SaleId sale) {
    Refusal refusal{Reason::limit_reached, Detail::none, {}, {}};
    refusal.ticket = co_await gate_.latest_open(sale, exchange.caller->id);
    if (!refusal.ticket) {
        const auto latest = co_await ledger_.latest_ticket(sale, exchange.caller->id);
        if (latest) refusal.ticket = latest->id;
    }
    answer(exchange, refusal);
}

Task<> Entrance::offer_formula(http::Exchange& exchange, SaleId sale) {
    const Entrant entrant{exchange.caller->id, sale};
    const auto offer = co_await challenges_.offer_formula(entrant);
    answer(exchange, 201,
           {{"challenge_id", offer.id},
            {"kind", to_string(Challenge::math)},
            {"expires_at", to_rfc3339(offer.expires_at)},
            {"image", "data:image/png;base64," + to_base64(bytes_of(offer.png))}});
}

void Entrance::offer_work(http::Exchange& exchange, const Sale& sale) {
    const auto offer = challenges_.offer_work({exchange.caller->id, sale.id}, sale.challenge_bits);
    answer(exchange, 201,
           {{"challenge_id", offer.id},
            {"kind", to_string(Challenge::pow)},
            {"expires_at", to_rfc3339(offer.expires_at)},
            {"prefix", offer.prefix},
            {"bits", offer.bits}});
}

void Entrance::admit(http::Exchange& exchange, const Sale& sale, std::int64_t most_places,
                     const Shown& shown, Timestamp now) {
    const auto& buyer = *exchange.caller;
    std::expected<PassDesk::Issued, PassDesk::Full> issued;
    const auto take_place = [&] {
        issued = passes_.issue(buyer, sale.id, most_places, now);
        return issued.has_value();
    };
    // Who has a place may have lost the reply.
    const bool shows_nothing = !shown.challenge_id && !shown.answer;
    if (sale.challenge == Challenge::none || shows_nothing)
        if (const auto again = passes_.renew(buyer, sale.id, now))
            return answer_pass(exchange, *again);
    if (sale.challenge == Challenge::none)
        return take_place() ? answer_pass(exchange, *issued)
                            : refuse_full(exchange, issued.error());
    std::vector<FieldError> missing;
    if (!shown.challenge_id) missing.push_back({"challenge_id", Rule::missing});
    if (!shown.answer) missing.push_back({"answer", Rule::missing});
    if (!missing.empty())
        return http::write_problem(exchange.response, Code::invalid, exchange.context, {}, missing);
    // A formula can be guessed; work cannot.
    const bool guessable = sale.challenge == Challenge::math;
    if (guessable && guessed_too_often(exchange)) return;

    const auto verdict = challenges_.redeem(sale.challenge, {buyer.id, sale.id},
                                            *shown.challenge_id, *shown.answer, take_place);
    if (verdict == Verdict::solved) return answer_pass(exchange, *issued);
    if (verdict == Verdict::no_place) return refuse_full(exchange, issued.error());
    if (verdict == Verdict::solved_before)
        if (const auto again = passes_.renew(buyer, sale.id, now))
            return answer_pass(exchange, *again);
    if (guessable && verdict == Verdict::failed) guesses_.note_wrong(buyer.id, exchange.began);
    exchange.refuse(Code::challenge_failed);
}

}  // namespace sluice::api
