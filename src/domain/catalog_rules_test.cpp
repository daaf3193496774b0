#include "domain/catalog_rules.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Expected = std::optional<Detail>;

Expected detail_of(const std::optional<Refusal>& no) {
    if (!no) return std::nullopt;
    EXPECT_EQ(no->reason, Reason::conflict);
    return no->detail;
}

TEST(CatalogRules, AnItemHasOneStandingSaleAndNoneWhenItIsArchived) {
    constexpr auto none = std::nullopt;
    const Expected exists = Detail::standing_sale_exists;
    const Expected archived = Detail::item_archived;
    const struct {
        SaleKind kind;
        bool has_ended;
        ItemFacts facts;
        Expected added, changed;
    } rows[] = {
        {SaleKind::standing, false, {}, none, none},
        {SaleKind::standing, false, {.has_other_standing = true}, exists, exists},
        {SaleKind::standing, false, {.is_archived = true}, archived, none},
        {SaleKind::standing,
         false,
         {.is_archived = true, .has_other_standing = true},
         exists,
         exists},
        {SaleKind::standing, true, {.has_other_standing = true}, none, none},  // it is ended
        {SaleKind::flash, false, {}, none, none},
        {SaleKind::flash, false, {.has_other_standing = true}, none, none},
        {SaleKind::flash, false, {.is_archived = true}, archived, none},
        {SaleKind::flash, false, {.is_archived = true, .has_other_standing = true}, archived, none},
    };
    for (const auto& [kind, has_ended, facts, added, changed] : rows) {
        SCOPED_TRACE(testing::Message() << to_string(kind) << ' ' << has_ended << ' '
                                        << facts.is_archived << facts.has_other_standing);
        Sale sale;
        sale.kind = kind;
        if (has_ended) sale.ended_at = Timestamp{};
        EXPECT_EQ(stands(sale), kind == SaleKind::standing && !has_ended);
        EXPECT_EQ(detail_of(why_not_added(sale, facts)), added);
        EXPECT_EQ(detail_of(why_not_changed(sale, facts.has_other_standing)), changed);
    }
}

TEST(CatalogRules, AnItemIsArchivedAfterTheEndOfItsSales) {
    const struct {
        bool archived, has_sale;
        Expected no;
    } rows[] = {
        {false, false, std::nullopt},
        {false, true, std::nullopt},
        {true, false, std::nullopt},
        {true, true, Detail::item_on_sale},
    };
    for (const auto& [archived, has_sale, no] : rows) {
        Item item;
        item.archived = archived;
        EXPECT_EQ(detail_of(why_not_updated(item, has_sale)), no) << archived << has_sale;
    }
}

TEST(CatalogRules, AKeyIsOfOneBody) {
    const BodyDigest body{1};
    const EarlierRequest same{body, "first"};
    EXPECT_EQ(first_answer(std::nullopt, body).value(), std::nullopt);
    EXPECT_EQ(first_answer(same, body).value(), "first");
    auto last_byte = body;
    last_byte.back() = 1;
    for (const auto& other : {BodyDigest{}, BodyDigest{2}, last_byte}) {
        const auto refused = first_answer(same, other);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().reason, Reason::idempotency_mismatch);
    }
}

}  // namespace
}  // namespace sluice
