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

/// The words for a complaint about a kind of challenge that the sale does not offer.
std::string_view kinds_of(const Sale& sale) {
    if (sale.challenge == Challenge::none) return "math, pow";
    if (sale.challenge == Challenge::pow) return "pow";
    return offers(sale, Challenge::pow) ? "math, pow" : "math";
}

gate::GuessLimiter::Guesser guesser_in(const http::Exchange& exchange, SaleId sale) {
    return {exchange.caller->id, sale, exchange.client};
}

void answer_pass(http::Exchange& exchange, const PassDesk::Issued& issued) {
    answer(exchange, 201, {{"pass", issued.pass}, {"expires_at", to_rfc3339(issued.expires_at)}});
}

void refuse_full(http::Exchange& exchange, const PassDesk::Full& full) {
    http::write_retry_after(exchange.response, static_cast<int>(full.retry_after.count()));
    exchange.refuse(Code::gate_closed);
}

}  // namespace

http::Pending Entrance::create_challenge(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    const Sale& sale = displayed->sale;
    JsonReader in(exchange, true);
    const auto wish = in.word("kind", parse_challenge, kinds_of(sale));
    const auto kind = wish.value_or(sale.challenge);
    const bool needs_none = sale.challenge == Challenge::none;
    if (wish && !needs_none && !offers(sale, kind))
        in.complain("kind", {Rule::one_of, kinds_of(sale)});
    if (!in.finish()) return std::nullopt;
    const auto glance = gate_.glance(sale.id, exchange.caller->id);
    const auto now = clock_.now();
    const bool stands_back = gives_way(catalog_, sale, now);
    if (const auto reason = reason_to_stay_out(sale, glance, stands_back, now))
        return turn_away(exchange, sale.id, *reason);
    if (needs_none) {
        answer(exchange, Refusal{Reason::conflict, Detail::no_challenge_needed, {}, {}});
        return std::nullopt;
    }
    if (kind == Challenge::pow) {
        offer_work(exchange, sale);
        return std::nullopt;
    }
    if (guessed_too_often(exchange, sale.id)) return std::nullopt;
    return offer_formula(exchange, sale.id);
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
    if (glance.history && tried_too_often(exchange, sale.id)) return std::nullopt;
    admit(exchange, sale, glance.left * sale.gate_factor, shown, now);
    const bool admitted = exchange.response.status == 201;
    if (glance.history && admitted) attempts_.note(exchange.caller->id, sale.id, exchange.began);
    return std::nullopt;
}

bool Entrance::guessed_too_often(http::Exchange& exchange, SaleId sale) const {
    const auto standing = guesses_.look(guesser_in(exchange, sale), exchange.began);
    if (standing.count.wait.count() == 0) return false;
    gate::refuse(exchange, standing, Code::rate_limited);
    return true;
}

bool Entrance::tried_too_often(http::Exchange& exchange, SaleId sale) const {
    const auto standing = attempts_.look(exchange.caller->id, sale, exchange.began);
    if (standing.count.wait.count() == 0) return false;
    gate::refuse(exchange, standing, Code::rate_limited);
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
    // Who has a place may have lost the reply. Asking alone makes it last no longer: a few who
    // never buy could keep everybody else out for ever.
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
    const auto kind = ChallengeDesk::kind_of(*shown.challenge_id);
    if (!offers(sale, kind)) return exchange.refuse(Code::challenge_failed);
    // A formula can be guessed; work cannot.
    const bool guessable = kind == Challenge::math;
    if (guessable && guessed_too_often(exchange, sale.id)) return;

    const auto verdict = challenges_.redeem(kind, {buyer.id, sale.id}, *shown.challenge_id,
                                            *shown.answer, take_place);
    if (verdict == Verdict::solved) return answer_pass(exchange, *issued);
    if (verdict == Verdict::no_place) return refuse_full(exchange, issued.error());
    if (verdict == Verdict::solved_before)
        if (const auto again = passes_.renew(buyer, sale.id, now))
            return answer_pass(exchange, *again);
    if (guessable && verdict == Verdict::failed)
        guesses_.note_wrong(guesser_in(exchange, sale.id), exchange.began);
    exchange.refuse(Code::challenge_failed);
}

}  // namespace sluice::api
