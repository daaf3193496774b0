#include "api/shop/entrance.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "base/encoding.hpp"

namespace sluice::api {
namespace {

using http::Code;

constexpr std::size_t kLongestId = 64;  // longer than any of ours

std::optional<std::string> short_text(JsonReader& in, std::string_view field, std::size_t most) {
    auto text = in.text(field);
    if (text && text->size() > most) in.complain(field, {Rule::most_bytes, most});
    return text;
}

/// The gate's limits for the buyer and the sale of one request.
class Limits final : public EntryLimits {
  public:
    Limits(gate::GuessLimiter& guesses, gate::AttemptLimiter& attempts,
           const http::Exchange& exchange, SaleId sale, const BoundedClient& client)
        : guesses_(guesses),
          attempts_(attempts),
          client_(client),
          guesser_{exchange.caller->id, sale, exchange.client},
          now_(exchange.began) {}

    bool may_answer() const override { return is_open(of(IssuePass::Limit::answers)); }
    void note_wrong_answer() override { guesses_.note_wrong(guesser_, now_); }
    void note_right_answer() override { guesses_.note_right(guesser_, now_); }
    bool may_see_picture() const override { return is_open(of(IssuePass::Limit::pictures)); }
    bool count_picture() override { return is_open(guesses_.count_picture(guesser_.buyer, now_)); }
    void give_picture_back() override { guesses_.give_picture_back(guesser_.buyer); }
    bool may_return() const override { return is_open(of(IssuePass::Limit::returns)); }
    void note_return() override { attempts_.note(guesser_.buyer, guesser_.sale, now_); }

    BoundedClient client() const override { return client_; }

    gate::Headroom of(IssuePass::Limit limit) const {
        switch (limit) {
            case IssuePass::Limit::answers:
                return guesses_.look(guesser_, now_);
            case IssuePass::Limit::pictures:
                return guesses_.look_picture(guesser_.buyer, now_);
            case IssuePass::Limit::returns:
                break;
        }
        return attempts_.look(guesser_.buyer, guesser_.sale, now_);
    }

  private:
    static bool is_open(const gate::Headroom& headroom) { return !headroom.waits(); }

    gate::GuessLimiter& guesses_;
    gate::AttemptLimiter& attempts_;
    const BoundedClient client_;
    const gate::GuessLimiter::Guesser guesser_;
    const gate::RateLimiter::Instant now_;
};

/// Answers with the problem for each kind of refusal.
struct AnswerNo {
    http::Exchange& exchange;
    const Limits& limits;

    void operator()(const Refusal& refusal) const { answer(exchange, refusal); }
    void operator()(const IssuePass::Wait& wait) const {
        http::write_retry_after(exchange.response, static_cast<int>(wait.retry_after.count()));
        answer(exchange, Refusal{Reason::gate_closed, wait.detail, {}, {}});
    }
    void operator()(IssuePass::Limit limit) const {
        gate::refuse(exchange, limits.of(limit), Code::rate_limited);
    }
    void operator()(const IssuePass::NotListed& no) const { answer_not_listed(exchange, no.until); }
    void operator()(IssuePass::ChallengeFailed) const { exchange.refuse(Code::challenge_failed); }
};

/// Answers with the challenge, for each kind of challenge.
struct AnswerOffer {
    http::Exchange& exchange;

    void operator()(const ChallengeDesk::FormulaOffer& offer) const {
        answer(exchange, 201,
               {{"challenge_id", offer.id},
                {"kind", to_string(Challenge::math)},
                {"expires_at", to_rfc3339(offer.expires_at)},
                {"image", "data:image/png;base64," + to_base64(bytes_of(offer.png))}});
    }
    void operator()(const ChallengeDesk::WorkOffer& offer) const {
        answer(exchange, 201,
               {{"challenge_id", offer.id},
                {"kind", to_string(Challenge::pow)},
                {"expires_at", to_rfc3339(offer.expires_at)},
                {"prefix", offer.prefix},
                {"bits", offer.bits}});
    }
};

void answer_offer(http::Exchange& exchange, const IssuePass::Offer& offer, const Limits& limits) {
    if (offer)
        std::visit(AnswerOffer{exchange}, *offer);
    else
        std::visit(AnswerNo{exchange, limits}, offer.error());
}

void answer_issue(http::Exchange& exchange, const IssuePass::Issue& issue, const Limits& limits) {
    if (issue)
        answer(exchange, 201,
               {{"pass", issue->pass}, {"expires_at", to_rfc3339(issue->expires_at)}});
    else
        std::visit(AnswerNo{exchange, limits}, issue.error());
}

}  // namespace

http::Pending Entrance::create_challenge(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    const Sale& sale = displayed->sale;
    JsonReader in(exchange, true);
    const auto wish = in.word("kind", parse_challenge, offered_kinds(sale));
    if (!in.finish()) return std::nullopt;
    const Limits limits(guesses_, attempts_, exchange, sale.id, client_of(exchange));
    const auto made = issue_pass_.offer_at_once(sale, exchange.caller->id, wish, limits);
    if (!made) return offer(exchange, displayed, wish);
    answer_offer(exchange, *made, limits);
    return std::nullopt;
}

Task<> Entrance::offer(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                       std::optional<Challenge> wish) {
    Limits limits(guesses_, attempts_, exchange, displayed->sale.id, client_of(exchange));
    const auto made = co_await issue_pass_.offer(displayed, exchange.caller->id, wish, limits);
    answer_offer(exchange, made, limits);
}

http::Pending Entrance::create_pass(http::Exchange& exchange) {
    const auto displayed = sale_in_path(exchange, catalog_);
    if (!displayed) return std::nullopt;
    JsonReader in(exchange, true);
    IssuePass::Shown shown{.challenge_id = short_text(in, "challenge_id", kLongestId),
                           .answer = short_text(in, "answer", ChallengeDesk::kLongestAnswer)};
    if (!in.finish()) return std::nullopt;
    Limits limits(guesses_, attempts_, exchange, displayed->sale.id, client_of(exchange));
    const auto made = issue_pass_.issue_at_once(displayed->sale, *exchange.caller, shown, limits);
    if (!made) return issue(exchange, displayed, std::move(shown));
    answer_issue(exchange, *made, limits);
    return std::nullopt;
}

Task<> Entrance::issue(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed,
                       IssuePass::Shown shown) {
    Limits limits(guesses_, attempts_, exchange, displayed->sale.id, client_of(exchange));
    const auto made =
        co_await issue_pass_.issue(displayed, *exchange.caller, std::move(shown), limits);
    answer_issue(exchange, made, limits);
}

BoundedClient Entrance::client_of(const http::Exchange& exchange) const {
    const auto most = rates_.holders_per_network();
    if (most == 0 || !scope_.enabled() || scope_.exempts(exchange.client)) return {};
    return {exchange.client, most};
}

}  // namespace sluice::api
