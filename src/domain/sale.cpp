#include "domain/sale.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/check.hpp"
#include "base/names.hpp"
#include "domain/proof_of_work.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr auto kDefaultFlashLength = std::chrono::hours{24};

constexpr Names<SaleKind::standing> kKinds({{SaleKind::flash, "flash"},
                                            {SaleKind::standing, "standing"}});
constexpr Names<Challenge::pow> kChallenges({{Challenge::none, "none"},
                                             {Challenge::math, "math"},
                                             {Challenge::pow, "pow"}});
constexpr Names<Audience::listed_first> kAudiences({{Audience::everyone, "everyone"},
                                                    {Audience::listed, "listed"},
                                                    {Audience::listed_first, "listed_first"}});
constexpr Names<SaleState::ended> kSaleStates({{SaleState::scheduled, "scheduled"},
                                               {SaleState::open, "open"},
                                               {SaleState::sold_out, "sold_out"},
                                               {SaleState::paused, "paused"},
                                               {SaleState::ended, "ended"}});

void check_range(std::vector<FieldError>& errors, const char* field, std::int64_t value,
                 std::int64_t low, std::int64_t high) {
    if (value >= low && value <= high) return;
    errors.push_back({field, Complaint(Rule::from_to, low, high)});
}

void check_label(std::vector<FieldError>& errors, const char* field, std::string_view text,
                 std::size_t most) {
    if (count_characters(text) > most)
        errors.push_back({field, Complaint(Rule::most_characters, most)});
    else if (has_control_characters(text, false))
        errors.push_back({field, Rule::has_control_characters});
}

void check_labels(std::vector<FieldError>& errors, const Sale& sale) {
    check_label(errors, "name", sale.name, kMaxNameLength);
    check_label(errors, "campaign", sale.campaign, kMaxCampaignLength);
    const auto fits = [](const std::string& tag) {
        return !tag.empty() && count_characters(tag) <= kMaxTagLength;
    };
    const auto has_controls = [](const std::string& tag) {
        return has_control_characters(tag, false);
    };
    const std::set<std::string_view> different(sale.tags.begin(), sale.tags.end());
    if (sale.tags.size() > kMaxTags || different.size() < sale.tags.size() ||
        !std::ranges::all_of(sale.tags, fits))
        errors.push_back({"tags", Complaint(Rule::not_tags, kMaxTags, kMaxTagLength)});
    else if (std::ranges::any_of(sale.tags, has_controls))
        errors.push_back({"tags", Rule::has_control_characters});
}

void check_audience(std::vector<FieldError>& errors, const Sale& sale) {
    constexpr const char* field = "listed_until";
    const auto& until = sale.listed_until;
    if (sale.audience != Audience::listed_first) {
        if (until) errors.push_back({field, Rule::only_for_listed_first});
    } else if (!until) {
        errors.push_back({field, Rule::missing});
    } else if (*until <= sale.starts_at || (sale.ends_at && *until >= *sale.ends_at)) {
        errors.push_back({field, Rule::not_within_sale});
    }
}

std::vector<FieldError> check(const Sale& sale, Timestamp now) {
    std::vector<FieldError> errors;
    if (auto wrong = check_price(sale.price_cents)) errors.push_back({"price_cents", *wrong});
    check_range(errors, "stock", sale.stock.total, 0, kMaxStock);
    check_range(errors, "limit_per_buyer", sale.limit_per_buyer, 1, kMaxLimitPerBuyer);
    check_range(errors, "hold_seconds", sale.hold_seconds, 1, 86'400);
    if (sale.challenge_bits)
        check_range(errors, "challenge_bits", *sale.challenge_bits, kLeastBits, kMostBits);
    check_range(errors, "gate_factor", sale.gate_factor, 1, 10'000);
    check_range(errors, "unpaid_limit", sale.unpaid_limit, 1, 1'000);
    if (sale.ends_at && *sale.ends_at <= sale.starts_at)
        errors.push_back({"ends_at", Rule::not_after_start});
    else if (sale.ends_at && *sale.ends_at <= now)
        errors.push_back({"ends_at", Rule::in_past});
    check_labels(errors, sale);
    check_audience(errors, sale);
    return errors;
}

void apply(const SaleDraft& draft, Sale& sale) {
    sale.price_cents = draft.price_cents.value_or(sale.price_cents);
    sale.starts_at = draft.starts_at.value_or(sale.starts_at);
    sale.ends_at = draft.ends_at.value_or(sale.ends_at);
    sale.limit_per_buyer = draft.limit_per_buyer.value_or(sale.limit_per_buyer);
    sale.hold_seconds = draft.hold_seconds.value_or(sale.hold_seconds);
    sale.challenge = draft.challenge.value_or(sale.challenge);
    sale.challenge_alternative = draft.challenge_alternative.value_or(sale.challenge_alternative);
    sale.challenge_bits = draft.challenge_bits.value_or(sale.challenge_bits);
    sale.gate_factor = draft.gate_factor.value_or(sale.gate_factor);
    sale.unpaid_limit = draft.unpaid_limit.value_or(sale.unpaid_limit);
    if (draft.name) sale.name = trimmed(*draft.name);
    if (draft.campaign) sale.campaign = trimmed(*draft.campaign);
    if (draft.tags) {
        sale.tags.clear();
        for (const auto& tag : *draft.tags) sale.tags.emplace_back(trimmed(tag));
    }
    sale.audience = draft.audience.value_or(sale.audience);
    if (draft.listed_until)
        sale.listed_until = *draft.listed_until;
    else if (sale.audience != Audience::listed_first)
        sale.listed_until.reset();
    if (draft.stock) {
        sale.stock.left += *draft.stock - sale.stock.total;
        sale.stock.total = *draft.stock;
    }
}

/// From when on everybody may buy.
Timestamp open_to_all_from(const Sale& sale) {
    switch (sale.audience) {
        case Audience::everyone:
            return Timestamp::min();
        case Audience::listed:
            return Timestamp::max();
        case Audience::listed_first:
            return sale.listed_until.value_or(Timestamp::max());
    }
    CHECK(false, "an enum has one of its values");
}

/// What may not change once buyers may have relied on it.
std::vector<FieldError> check_started(const Sale& before, const Sale& after, Timestamp now) {
    constexpr auto fixed = Rule::fixed_after_start;
    std::vector<FieldError> errors;
    if (after.price_cents != before.price_cents) errors.push_back({"price_cents", fixed});
    if (after.starts_at != before.starts_at) errors.push_back({"starts_at", fixed});
    if (after.stock.total != before.stock.total)
        errors.push_back({"stock", Rule::stock_after_start});
    if (after.limit_per_buyer < before.limit_per_buyer)
        errors.push_back({"limit_per_buyer", Rule::only_raised});
    if (after.hold_seconds < before.hold_seconds)
        errors.push_back({"hold_seconds", Rule::only_raised});
    const bool is_later = open_to_all_from(after) > std::max(open_to_all_from(before), now);
    if (is_later && after.audience != before.audience)
        errors.push_back({"audience", Rule::only_opened});
    else if (is_later)
        errors.push_back({"listed_until", Rule::only_opened});
    return errors;
}

bool has_ended(const Sale& sale, Timestamp now) {
    return sale.ended_at || (sale.ends_at && now >= *sale.ends_at);
}

}  // namespace

std::string_view to_string(SaleKind kind) {
    return kKinds.text(kind);
}

std::string_view to_string(Challenge challenge) {
    return kChallenges.text(challenge);
}

std::string_view to_string(Audience audience) {
    return kAudiences.text(audience);
}

std::string_view to_string(SaleState state) {
    return kSaleStates.text(state);
}

std::optional<SaleKind> parse_sale_kind(std::string_view text) {
    return kKinds.parse(text);
}

std::optional<Challenge> parse_challenge(std::string_view text) {
    return kChallenges.parse(text);
}

std::optional<Challenge> parse_challenge_alternative(std::string_view text) {
    const auto kind = parse_challenge(text);
    return kind == Challenge::math ? std::nullopt : kind;
}

std::optional<Audience> parse_audience(std::string_view text) {
    return kAudiences.parse(text);
}

std::optional<SaleState> parse_sale_state(std::string_view text) {
    return kSaleStates.parse(text);
}

bool offers(const Sale& sale, Challenge kind) {
    const bool instead = sale.challenge == Challenge::math && kind == sale.challenge_alternative;
    return kind != Challenge::none && (kind == sale.challenge || instead);
}

std::string_view offered_kinds(const Sale& sale) {
    switch (sale.challenge) {
        case Challenge::none:
            return "math, pow";
        case Challenge::math:
            return offers(sale, Challenge::pow) ? "math, pow" : "math";
        case Challenge::pow:
            return "pow";
    }
    CHECK(false, "an enum has one of its values");
}

std::optional<Timestamp> end_of(const Sale& sale) {
    return sale.ended_at ? sale.ended_at : sale.ends_at;
}

bool is_for_listed_only(const Sale& sale, Timestamp now) {
    return now < open_to_all_from(sale);
}

std::optional<Reason> closed_because(const Sale& sale, Timestamp now) {
    constexpr Stock enough{.total = 1, .left = 1, .held = 0, .sold = 0};
    switch (state_at(sale, enough, now)) {
        case SaleState::ended:
            return Reason::ended;
        case SaleState::paused:
            return Reason::paused;
        case SaleState::scheduled:
            return Reason::not_started;
        case SaleState::open:
        case SaleState::sold_out:
            return std::nullopt;
    }
    CHECK(false, "an enum has one of its values");
}

SaleState state_at(const Sale& sale, Timestamp now) {
    return state_at(sale, sale.stock, now);
}

SaleState state_at(const Sale& sale, const Stock& stock, Timestamp now) {
    if (has_ended(sale, now)) return SaleState::ended;
    if (sale.paused || now < sale.resumed_at) return SaleState::paused;
    if (now < sale.starts_at) return SaleState::scheduled;
    return stock.left > 0 ? SaleState::open : SaleState::sold_out;
}

Outcome<Sale> create_sale(const SaleDraft& draft, const Item& item, SaleId id, Timestamp now) {
    if (item.archived) return refuse(Reason::conflict, Detail::item_archived);
    Sale sale{.id = id,
              .item_id = item.id,
              .kind = draft.kind.value_or(SaleKind::flash),
              .price_cents = item.list_price_cents,
              .currency = item.currency,
              .starts_at = now,
              .ends_at = std::nullopt,
              .ended_at = std::nullopt,
              .paused = false,
              .stock = {},
              .created_at = now};
    std::vector<FieldError> missing;
    if (!draft.stock) missing.push_back({"stock", Rule::missing});
    if (sale.kind == SaleKind::flash && !draft.price_cents)
        missing.push_back({"price_cents", Rule::missing});
    if (!missing.empty()) return refuse(std::move(missing));

    apply(draft, sale);
    if (sale.kind == SaleKind::flash && !draft.ends_at)
        sale.ends_at = std::max(sale.starts_at, now) + kDefaultFlashLength;
    if (auto errors = check(sale, now); !errors.empty()) return refuse(std::move(errors));
    return sale;
}

Outcome<Sale> edit_sale(const Sale& before, const SaleDraft& draft, Timestamp now) {
    if (has_ended(before, now)) return refuse(Reason::ended);
    Sale sale = before;
    apply(draft, sale);
    auto errors = check(sale, now);
    if (draft.kind && *draft.kind != before.kind) errors.push_back({"kind", Rule::fixed});
    if (now >= before.starts_at) {
        auto hurtful = check_started(before, sale, now);
        errors.insert(errors.end(), hurtful.begin(), hurtful.end());
    }
    if (!errors.empty()) return refuse(std::move(errors));
    if (sale.stock.left < 0) return refuse(Reason::conflict, Detail::too_few_left);
    if (sale != before) sale.version += 1;
    return sale;
}

Outcome<Sale> pause_sale(const Sale& before, Timestamp now) {
    if (has_ended(before, now)) return refuse(Reason::ended);
    Sale sale = before;
    if (!sale.paused) {
        sale.paused = true;
        sale.version += 1;
    }
    return sale;
}

Outcome<Sale> resume_sale(const Sale& before, Timestamp now) {
    if (has_ended(before, now)) return refuse(Reason::ended);
    Sale sale = before;
    // Also when a wrong clock has dated the last resume ahead: until then the sale reads as paused.
    if (sale.paused || now < sale.resumed_at) {
        sale.paused = false;
        sale.resumed_at = now;
        sale.version += 1;
    }
    return sale;
}

Outcome<Sale> end_sale(const Sale& before, Timestamp now) {
    Sale sale = before;
    if (!has_ended(before, now)) {
        sale.ended_at = now;
        sale.version += 1;
    }
    return sale;
}

Outcome<Sale> restock_sale(const Sale& before, std::int64_t delta, Timestamp now) {
    if (delta == 0 || delta < -kMaxStock || delta > kMaxStock)
        return refuse({{"delta", Rule::not_change_of_units}});
    if (has_ended(before, now)) return refuse(Reason::ended);
    if (delta < -before.stock.left) return refuse(Reason::conflict, Detail::too_few_left);
    if (delta > kMaxStock - before.stock.total)
        return refuse(Reason::conflict, Detail::too_much_stock);
    Sale sale = before;
    sale.stock.total += delta;
    sale.stock.left += delta;
    sale.version += 1;
    return sale;
}

}  // namespace sluice
