#include "domain/sale.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kStart = from_millis(1'794'513'600'000);
constexpr Timestamp kEnd = kStart + 1h;
constexpr auto kMs = 1ms;

Sale running() {
    Sale sale;
    sale.id = SaleId{1};
    sale.starts_at = kStart;
    sale.ends_at = kEnd;
    sale.stock = {.total = 10, .left = 10, .held = 0, .sold = 0};
    sale.limit_per_buyer = 2;
    return sale;
}

Item item() {
    Item item;
    item.id = ItemId{7};
    item.title = "Tea set";
    item.list_price_cents = 29'900;
    item.currency = "CNY";
    return item;
}

SaleDraft flash(std::int64_t stock = 10) {
    SaleDraft wish;
    wish.price_cents = 9'900;
    wish.stock = stock;
    return wish;
}

using Fields = std::vector<std::string>;

Fields wrong_fields(const Outcome<Sale>& outcome) {
    Fields fields;
    if (!outcome)
        for (const auto& error : outcome.error().errors) fields.push_back(error.field);
    return fields;
}

TEST(SaleChallenge, OffersItsKindAndTheAlternativeToAFormula) {
    const struct {
        Challenge challenge, alternative;
        bool math, pow;
        std::string_view names;
    } rows[] = {
        {Challenge::none, Challenge::none, false, false, "math, pow"},
        {Challenge::none, Challenge::pow, false, false, "math, pow"},
        {Challenge::math, Challenge::none, true, false, "math"},
        {Challenge::math, Challenge::pow, true, true, "math, pow"},
        {Challenge::pow, Challenge::none, false, true, "pow"},
        {Challenge::pow, Challenge::pow, false, true, "pow"},
    };
    for (const auto& [challenge, alternative, math, pow, names] : rows) {
        auto sale = running();
        sale.challenge = challenge;
        sale.challenge_alternative = alternative;
        EXPECT_EQ(offers(sale, Challenge::math), math);
        EXPECT_EQ(offers(sale, Challenge::pow), pow);
        EXPECT_FALSE(offers(sale, Challenge::none));
        EXPECT_EQ(offered_kinds(sale), names);
    }
    auto sale = running();
    sale.challenge = static_cast<Challenge>(9);
    EXPECT_DEATH(offered_kinds(sale), "one of its values");
    EXPECT_EQ(parse_challenge_alternative("none"), Challenge::none);
    EXPECT_EQ(parse_challenge_alternative("pow"), Challenge::pow);
    for (const auto* word : {"math", "", "POW", "true"})
        EXPECT_FALSE(parse_challenge_alternative(word)) << word;
}

TEST(SaleState, ChangesAtTheInstant) {
    const struct {
        Timestamp now;
        SaleState expected;
    } rows[] = {
        {kStart - kMs, SaleState::scheduled},
        {kStart, SaleState::open},
        {kStart + kMs, SaleState::open},
        {kEnd - kMs, SaleState::open},
        {kEnd, SaleState::ended},
        {kEnd + kMs, SaleState::ended},
    };
    for (const auto& row : rows)
        EXPECT_EQ(state_at(running(), row.now), row.expected) << to_rfc3339(row.now);
}

TEST(SaleState, WithoutAnEndGoesOn) {
    auto sale = running();
    sale.ends_at.reset();
    EXPECT_EQ(state_at(sale, kStart + 24h * 365), SaleState::open);
}

TEST(SaleState, EndsWhenAnOperatorEndsItOrAtTheEndOfItsWindow) {
    Sale sale;
    EXPECT_EQ(end_of(sale), std::nullopt);
    sale.ends_at = from_millis(2'000);
    EXPECT_EQ(end_of(sale), from_millis(2'000));
    sale.ended_at = from_millis(1'000);
    EXPECT_EQ(end_of(sale), from_millis(1'000));
}

TEST(SaleState, EndedBeforePausedBeforeScheduledBeforeSoldOut) {
    auto sale = running();
    sale.stock.left = 0;
    EXPECT_EQ(state_at(sale, kStart), SaleState::sold_out);
    EXPECT_EQ(state_at(sale, kStart - kMs), SaleState::scheduled);
    sale.paused = true;
    EXPECT_EQ(state_at(sale, kStart), SaleState::paused);
    EXPECT_EQ(state_at(sale, kStart - kMs), SaleState::paused);
    EXPECT_EQ(state_at(sale, kEnd), SaleState::ended);
    sale.ended_at = kStart;
    EXPECT_EQ(state_at(sale, kStart), SaleState::ended);
}

TEST(CreateSale, TakesItsDefaults) {
    const auto sale = create_sale(flash(), item(), SaleId{3}, kStart);
    ASSERT_TRUE(sale);
    EXPECT_EQ(sale->kind, SaleKind::flash);
    EXPECT_EQ(sale->currency, "CNY");
    EXPECT_EQ(sale->starts_at, kStart);
    EXPECT_EQ(sale->ends_at, kStart + 24h);
    EXPECT_EQ(sale->stock, (Stock{.total = 10, .left = 10, .held = 0, .sold = 0}));
    EXPECT_EQ(sale->limit_per_buyer, 1);
    EXPECT_EQ(sale->hold_seconds, 900);
    EXPECT_EQ(sale->gate_factor, 5);
    EXPECT_EQ(sale->challenge, Challenge::none);
    EXPECT_EQ(sale->challenge_bits, std::nullopt);
}

TEST(CreateSale, MayHaveBegunLongAgo) {
    auto wish = flash();
    wish.starts_at = kStart - 48h;
    const auto sale = create_sale(wish, item(), SaleId{3}, kStart);
    ASSERT_TRUE(sale);
    EXPECT_EQ(state_at(*sale, kStart), SaleState::open);
}

TEST(CreateSale, AStandingSaleHasTheListPriceAndNoEnd) {
    SaleDraft wish;
    wish.kind = SaleKind::standing;
    wish.stock = 5;
    const auto sale = create_sale(wish, item(), SaleId{3}, kStart);
    ASSERT_TRUE(sale);
    EXPECT_EQ(sale->price_cents, 29'900);
    EXPECT_FALSE(sale->ends_at);
}

TEST(CreateSale, RefusesWhatIsOutOfRange) {
    const auto with = [](auto change) {
        auto wish = flash();
        change(wish);
        return wrong_fields(create_sale(wish, item(), SaleId{3}, kStart));
    };
    EXPECT_EQ(with([](SaleDraft& w) { w.stock = -1; }), Fields{"stock"});
    EXPECT_EQ(with([](SaleDraft& w) { w.stock = 0; }), Fields{});
    EXPECT_EQ(with([](SaleDraft& w) { w.price_cents = -1; }), Fields{"price_cents"});
    EXPECT_EQ(with([](SaleDraft& w) { w.price_cents = kMaxPriceCents + 1; }),
              Fields{"price_cents"});
    EXPECT_EQ(with([](SaleDraft& w) { w.limit_per_buyer = 0; }), Fields{"limit_per_buyer"});
    EXPECT_EQ(with([](SaleDraft& w) { w.limit_per_buyer = 1'001; }), Fields{"limit_per_buyer"});
    EXPECT_EQ(with([](SaleDraft& w) { w.hold_seconds = 0; }), Fields{"hold_seconds"});
    EXPECT_EQ(with([](SaleDraft& w) { w.hold_seconds = 86'401; }), Fields{"hold_seconds"});
    EXPECT_EQ(with([](SaleDraft& w) { w.gate_factor = 10'001; }), Fields{"gate_factor"});
    EXPECT_EQ(with([](SaleDraft& w) { w.unpaid_limit = 0; }), Fields{"unpaid_limit"});
    EXPECT_EQ(with([](SaleDraft& w) { w.unpaid_limit = 1'001; }), Fields{"unpaid_limit"});
    EXPECT_EQ(with([](SaleDraft& w) { w.challenge_bits = 7; }), Fields{"challenge_bits"});
    EXPECT_EQ(with([](SaleDraft& w) { w.challenge_bits = 8; }), Fields{});
    EXPECT_EQ(with([](SaleDraft& w) { w.challenge_bits = 28; }), Fields{});
    EXPECT_EQ(with([](SaleDraft& w) { w.challenge_bits = 29; }), Fields{"challenge_bits"});
    EXPECT_EQ(with([](SaleDraft& w) { w.ends_at = std::optional(kStart); }), Fields{"ends_at"});
    EXPECT_EQ(with([](SaleDraft& w) { w.ends_at = std::optional(kStart + kMs); }), Fields{});
    EXPECT_EQ(with([](SaleDraft& w) { w.price_cents.reset(); }), Fields{"price_cents"});
    EXPECT_EQ(with([](SaleDraft& w) { w.stock.reset(); }), Fields{"stock"});
}

TEST(SaleLabels, AreTrimmedAndBounded) {
    const auto with = [](auto change) {
        auto wish = flash();
        change(wish);
        return create_sale(wish, item(), SaleId{3}, kStart);
    };
    const auto wide = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "茶";
        return text;
    };
    const auto sale = with([&](SaleDraft& w) {
        w.name = " \u3000双十一 evening\u00a0";
        w.campaign = " 11.11 ";
        w.tags = std::vector<std::string>{" tea", "茶 "};
    });
    ASSERT_TRUE(sale);
    EXPECT_EQ(sale->name, "双十一 evening");
    EXPECT_EQ(sale->campaign, "11.11");
    EXPECT_EQ(sale->tags, (std::vector<std::string>{"tea", "茶"}));
    const auto wrong = [&](auto change) { return wrong_fields(with(change)); };
    using Tags = std::vector<std::string>;
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.name = wide(80); }), Fields{});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.name = wide(81); }), Fields{"name"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.name = "a\nb"; }), Fields{"name"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.campaign = wide(40); }), Fields{});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.campaign = wide(41); }), Fields{"campaign"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = Tags{wide(30)}; }), Fields{});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = Tags{wide(31)}; }), Fields{"tags"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = Tags{"tea", " tea"}; }), Fields{"tags"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = Tags{" "}; }), Fields{"tags"});
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = Tags{"a\nb"}; }), Fields{"tags"});
    Tags many;
    for (int i = 0; i < 10; ++i) many.push_back(std::to_string(i));
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = many; }), Fields{});
    many.emplace_back("one more");
    EXPECT_EQ(wrong([&](SaleDraft& w) { w.tags = many; }), Fields{"tags"});
}

TEST(SaleLabels, ChangeWhileItRunsAndAreTakenOff) {
    SaleDraft wish;
    wish.name = "Evening";
    wish.tags = std::vector<std::string>{"tea"};
    const auto named = edit_sale(running(), wish, kStart);
    ASSERT_TRUE(named);
    EXPECT_EQ(named->name, "Evening");
    EXPECT_EQ(named->version, 2);
    EXPECT_EQ(*edit_sale(*named, wish, kStart), *named) << "nothing has changed";
    EXPECT_EQ(edit_sale(*named, {}, kStart)->tags, named->tags) << "what is left out stays";
    wish.name = "";
    wish.tags = std::vector<std::string>{};
    const auto plain = edit_sale(*named, wish, kStart);
    EXPECT_EQ(plain->name, "");
    EXPECT_TRUE(plain->tags.empty());
}

TEST(SaleAudience, IsForListedBuyersOnlyBeforeTheInstant) {
    auto sale = running();
    EXPECT_FALSE(is_for_listed_only(sale, kStart));
    sale.audience = Audience::listed;
    EXPECT_TRUE(is_for_listed_only(sale, kStart));
    EXPECT_TRUE(is_for_listed_only(sale, kEnd - kMs));
    sale.audience = Audience::listed_first;
    sale.listed_until = kStart + 10min;
    EXPECT_TRUE(is_for_listed_only(sale, kStart + 10min - kMs));
    EXPECT_FALSE(is_for_listed_only(sale, kStart + 10min));
}

TEST(SaleAudience, ListedFirstNeedsATimeWithinTheSaleAndNobodyElseHasOne) {
    const struct {
        Audience audience;
        std::optional<Timestamp> until;
        Fields wrong;
    } rows[] = {
        {Audience::everyone, {}, {}},
        {Audience::everyone, kStart + 1min, {"listed_until"}},
        {Audience::listed, {}, {}},
        {Audience::listed, kStart + 1min, {"listed_until"}},
        {Audience::listed_first, {}, {"listed_until"}},
        {Audience::listed_first, kStart, {"listed_until"}},
        {Audience::listed_first, kStart + kMs, {}},
        {Audience::listed_first, kEnd - kMs, {}},
        {Audience::listed_first, kEnd, {"listed_until"}},
    };
    for (const auto& row : rows) {
        auto wish = flash();
        wish.starts_at = kStart;
        wish.ends_at = kEnd;
        wish.audience = row.audience;
        wish.listed_until = row.until;
        EXPECT_EQ(wrong_fields(create_sale(wish, item(), SaleId{1}, kStart - 1h)), row.wrong)
            << to_string(row.audience);
    }
}

TEST(SaleAudience, ASaleWithoutAnEndMayBeForListedBuyersFirst) {
    SaleDraft wish;
    wish.kind = SaleKind::standing;
    wish.stock = 5;
    wish.audience = Audience::listed_first;
    wish.listed_until = kStart + 24h;
    EXPECT_TRUE(create_sale(wish, item(), SaleId{1}, kStart));
}

TEST(SaleAudience, AnotherAudienceTakesTheTimeAway) {
    auto sale = running();
    sale.audience = Audience::listed_first;
    sale.listed_until = kStart + 1min;
    SaleDraft wish;
    wish.audience = Audience::listed;
    const auto edited = edit_sale(sale, wish, kStart - 1h);
    ASSERT_TRUE(edited);
    EXPECT_EQ(edited->listed_until, std::nullopt);
    SaleDraft nothing;
    EXPECT_EQ(edit_sale(sale, nothing, kStart - 1h)->version, sale.version);
}

TEST(SaleAudience, AfterTheStartASaleIsOnlyOpenedFurther) {
    const auto at = [](Audience audience, std::optional<Timestamp> until = {}) {
        auto sale = running();
        sale.audience = audience;
        sale.listed_until = until;
        return sale;
    };
    const auto early = kStart + 10min, late = kStart + 20min, now = kStart + 5min;
    const struct {
        Sale before, after;
        Fields wrong;
    } rows[] = {
        {at(Audience::listed), at(Audience::listed_first, late), {}},
        {at(Audience::listed), at(Audience::everyone), {}},
        {at(Audience::listed_first, late), at(Audience::listed_first, early), {}},
        {at(Audience::listed_first, late), at(Audience::everyone), {}},
        {at(Audience::everyone), at(Audience::listed), {"audience"}},
        {at(Audience::everyone), at(Audience::listed_first, late), {"audience"}},
        {at(Audience::everyone), at(Audience::listed_first, now), {}},
        {at(Audience::listed_first, early), at(Audience::listed), {"audience"}},
        {at(Audience::listed_first, early), at(Audience::listed_first, late), {"listed_until"}},
    };
    for (const auto& row : rows) {
        SaleDraft wish;
        wish.audience = row.after.audience;
        wish.listed_until = row.after.listed_until;
        EXPECT_EQ(wrong_fields(edit_sale(row.before, wish, now)), row.wrong)
            << to_string(row.before.audience) << " to " << to_string(row.after.audience);
        EXPECT_TRUE(edit_sale(row.before, wish, kStart - kMs)) << "before the start anything goes";
    }
}

TEST(CreateSale, NotOfAnItemThatIsArchived) {
    const auto refused = create_sale(flash(), archive_item(item()), SaleId{3}, kStart);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::conflict);
    EXPECT_EQ(refused.error().detail, Detail::item_archived);
}

TEST(EditSale, MovesTheStockByTheDifferenceBeforeTheStart) {
    SaleDraft wish;
    wish.stock = 4;
    const auto sale = edit_sale(running(), wish, kStart - kMs);
    ASSERT_TRUE(sale);
    EXPECT_EQ(sale->stock, (Stock{.total = 4, .left = 4, .held = 0, .sold = 0}));
    EXPECT_EQ(sale->version, 2);
}

TEST(EditSale, CannotHurtABuyerFromTheFirstInstantOn) {
    const auto fields = [](auto change, Timestamp now) {
        SaleDraft wish;
        change(wish);
        return wrong_fields(edit_sale(running(), wish, now));
    };
    const auto cheaper = [](SaleDraft& w) { w.price_cents = 1; };
    const auto later = [](SaleDraft& w) { w.starts_at = kStart + 1min; };
    const auto more = [](SaleDraft& w) { w.stock = 11; };
    const auto stricter = [](SaleDraft& w) { w.limit_per_buyer = 1; };
    const auto hastier = [](SaleDraft& w) { w.hold_seconds = 60; };
    const auto laxer = [](SaleDraft& w) {
        w.limit_per_buyer = 3;
        w.hold_seconds = 1'000;
        w.challenge = Challenge::pow;
        w.challenge_bits = 20;
        w.gate_factor = 9;
        w.ends_at = std::optional(kEnd + 1h);
    };
    EXPECT_EQ(fields(cheaper, kStart - kMs), Fields{});
    EXPECT_EQ(fields(cheaper, kStart), Fields{"price_cents"});
    EXPECT_EQ(fields(later, kStart - kMs), Fields{});
    EXPECT_EQ(fields(later, kStart), Fields{"starts_at"});
    EXPECT_EQ(fields(more, kStart), Fields{"stock"});
    EXPECT_EQ(fields(stricter, kStart), Fields{"limit_per_buyer"});
    EXPECT_EQ(fields(hastier, kStart), Fields{"hold_seconds"});
    EXPECT_EQ(fields(laxer, kStart), Fields{});
}

TEST(EditSale, IsRefusedAtTheEnd) {
    EXPECT_TRUE(edit_sale(running(), {}, kEnd - kMs));
    const auto refused = edit_sale(running(), {}, kEnd);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::ended);
}

TEST(SteerSale, DoesNothingTwice) {
    const auto paused = pause_sale(running(), kStart);
    ASSERT_TRUE(paused);
    EXPECT_EQ(paused->version, 2);
    EXPECT_EQ(pause_sale(*paused, kStart)->version, 2);
    EXPECT_FALSE(resume_sale(*paused, kStart)->paused);
    const auto ended = end_sale(*paused, kStart);
    EXPECT_EQ(ended->ended_at, kStart);
    EXPECT_EQ(end_sale(*ended, kStart + 1min)->ended_at, kStart);
    EXPECT_EQ(pause_sale(*ended, kStart).error().reason, Reason::ended);
    EXPECT_EQ(resume_sale(*ended, kStart).error().reason, Reason::ended);
}

TEST(SteerSale, BeforeTheResumeItWasPaused) {
    const auto paused = pause_sale(running(), kStart + 1min);
    const auto resumed = resume_sale(*paused, kStart + 2min);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(closed_because(*resumed, kStart + 2min - kMs), Reason::paused);
    EXPECT_EQ(closed_because(*resumed, kStart + 2min), std::nullopt);
    EXPECT_EQ(resume_sale(*resumed, kStart + 3min)->version, resumed->version) << "it is running";
}

TEST(SteerSale, AResumeThatAWrongClockHasDatedAheadIsDoneAgain) {
    const auto paused = pause_sale(running(), kStart + 3min);
    const auto ahead = resume_sale(*paused, kStart + 3min);
    ASSERT_EQ(closed_because(*ahead, kStart + 1min), Reason::paused);
    const auto resumed = resume_sale(*ahead, kStart + 1min);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(closed_because(*resumed, kStart + 1min), std::nullopt);
    EXPECT_EQ(resumed->version, ahead->version + 1);
}

TEST(RestockSale, MovesTotalAndLeft) {
    Sale sale = running();
    sale.stock = {.total = 10, .left = 7, .held = 2, .sold = 1};
    const auto more = restock_sale(sale, 5, kStart);
    ASSERT_TRUE(more);
    EXPECT_EQ(more->stock, (Stock{.total = 15, .left = 12, .held = 2, .sold = 1}));
    EXPECT_EQ(more->version, sale.version + 1);
    EXPECT_EQ(restock_sale(sale, -7, kStart)->stock,
              (Stock{.total = 3, .left = 0, .held = 2, .sold = 1}));
    for (const auto delta : {std::int64_t{-8}, -kMaxStock, kMaxStock - 9, kMaxStock}) {
        const auto refused = restock_sale(sale, delta, kStart);
        ASSERT_FALSE(refused) << delta;
        EXPECT_EQ(refused.error().reason, Reason::conflict);
    }
    EXPECT_EQ(restock_sale(sale, 1, kEnd).error().reason, Reason::ended);
}

TEST(RestockSale, RefusesWhatIsNoChangeOfUnitsInAnyState) {
    using Limits = std::numeric_limits<std::int64_t>;
    for (const auto delta :
         {std::int64_t{0}, -kMaxStock - 1, kMaxStock + 1, Limits::min(), Limits::max()})
        for (const auto now : {kStart, kEnd}) {
            const auto refused = restock_sale(running(), delta, now);
            ASSERT_FALSE(refused) << delta;
            EXPECT_EQ(refused.error().reason, Reason::invalid);
            EXPECT_EQ(refused.error().errors,
                      (std::vector<FieldError>{{"delta", Rule::not_change_of_units}}));
        }
}

TEST(EditSale, LeavesAStockThatItDoesNotNameAlone) {
    Sale sale = running();
    sale.stock = {.total = 10, .left = 1, .held = 8, .sold = 1};
    SaleDraft fewer;
    fewer.stock = 9;
    EXPECT_EQ(edit_sale(sale, fewer, kStart - kMs)->stock.left, 0);
    fewer.stock = 8;
    const auto refused = edit_sale(sale, fewer, kStart - kMs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().detail, Detail::too_few_left);
}

}  // namespace
}  // namespace sluice
