#include "adapters/sql/rows.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Pair {
    std::int64_t number = 0;
    std::optional<std::string> text;

    friend bool operator==(const Pair&, const Pair&) = default;
};

struct Nested {
    Pair first;
    std::optional<Pair> second;
    OrderState state = OrderState::pending;
};

class RowsTest : public testing::Test {
  protected:
    Database database = Database::open_bare(":memory:");

    template <class Row>
    auto reading(std::string_view sql) {
        return [this, sql] { database.value<Row>(sql); };
    }
};

TEST_F(RowsTest, AreReadOneAfterTheOther) {
    std::vector<Pair> pairs;
    for (const auto& row : database.rows<Pair>("VALUES (1, 'one'), (2, NULL), (3, '')"))
        pairs.push_back(row);
    EXPECT_THAT(pairs, ElementsAre(Pair{1, "one"}, Pair{2, std::nullopt}, Pair{3, ""}));
    EXPECT_EQ(database.rows<Pair>("VALUES (1, 'one'), (2, NULL), (3, '')").to_vector(), pairs);
    const auto number = [](const Pair& pair) { return pair.number; };
    EXPECT_THAT(database.rows<Pair>("VALUES (1, 'one'), (2, NULL)").to_vector(number),
                ElementsAre(1, 2));
}

TEST_F(RowsTest, MayBeNone) {
    EXPECT_EQ(database.row<Pair>("SELECT 1, 2 WHERE false"), std::nullopt);
    EXPECT_THAT(database.rows<Pair>("SELECT 1, 2 WHERE false").to_vector(), ElementsAre());
    EXPECT_FALSE(database.has_row("SELECT 1 WHERE false"));
    EXPECT_TRUE(database.has_row("SELECT 1"));
    EXPECT_DEATH(database.value<std::int64_t>("SELECT 1 WHERE false"), "has a row");
}

TEST_F(RowsTest, LetGoOfTheStatementHalfway) {
    for (int i = 0; i < 2; ++i)
        for (const auto& [number] : database.rows<std::tuple<std::int64_t>>("VALUES (1), (2)")) {
            EXPECT_EQ(number, 1);
            break;
        }
}

TEST_F(RowsTest, HaveAsManyColumnsAsTheQuery) {
    EXPECT_DEATH(database.row<Pair>("SELECT 1"), "1 instead of 2 in SELECT 1");
    EXPECT_DEATH(database.row<Pair>("SELECT 1, 'one', 2"), "3 instead of 2");
    EXPECT_DEATH(database.rows<Nested>("SELECT 1, 'one', 2, 'two'"), "4 instead of 5");
    EXPECT_DEATH(database.value<std::int64_t>("SELECT 1, 2"), "2 instead of 1");
}

TEST_F(RowsTest, RefuseNullThatTheFieldDoesNotExpect) {
    EXPECT_THAT(reading<Pair>("SELECT NULL AS price, 'one'"),
                ThrowsMessage<RowError>(AllOf(HasSubstr("column price of SELECT NULL"),
                                              HasSubstr("NULL where a number is expected"))));
    EXPECT_THROW(database.value<std::string>("SELECT NULL"), RowError);
    EXPECT_THROW(database.value<bool>("SELECT NULL"), RowError);
    EXPECT_THROW(database.value<Timestamp>("SELECT NULL"), RowError);
    EXPECT_THROW(database.value<UserId>("SELECT NULL"), RowError);
    EXPECT_THROW(database.value<Mark>("SELECT NULL"), RowError);
    EXPECT_THROW(database.value<OrderState>("SELECT NULL"), RowError);
    EXPECT_EQ(database.value<std::optional<UserId>>("SELECT NULL"), std::nullopt);
}

TEST_F(RowsTest, RefuseAValueOfAnotherType) {
    EXPECT_THAT(reading<std::int64_t>("SELECT '12'"),
                ThrowsMessage<RowError>(HasSubstr("a text where a number is expected")));
    EXPECT_THROW(database.value<std::int64_t>("SELECT 1.0"), RowError);
    EXPECT_THROW(database.value<std::string>("SELECT 12"), RowError);
    EXPECT_THROW(database.value<std::string>("SELECT x'6162'"), RowError);
    EXPECT_THROW(database.value<Mark>("SELECT '0123456789abcdef'"), RowError);
    EXPECT_THROW(database.value<std::optional<std::int64_t>>("SELECT 'none'"), RowError);
}

TEST_F(RowsTest, RefuseABlobOfAnotherLength) {
    EXPECT_EQ(database.value<Mark>("SELECT zeroblob(16)"), Mark{});
    EXPECT_THROW(database.value<Mark>("SELECT zeroblob(15)"), RowError);
    EXPECT_THROW(database.value<Mark>("SELECT zeroblob(17)"), RowError);
    EXPECT_THROW(database.value<Mark>("SELECT x''"), RowError);
}

TEST_F(RowsTest, ReadEnumsByTheirTable) {
    EXPECT_EQ(database.value<OrderState>("SELECT 'cancelled'"), OrderState::cancelled);
    EXPECT_EQ(database.value<TicketState>("SELECT 2"), TicketState::committed);
    EXPECT_THROW(database.value<OrderState>("SELECT 'Cancelled'"), RowError);
    EXPECT_THROW(database.value<TicketState>("SELECT 9"), RowError);
}

TEST_F(RowsTest, HavePartsThatMayBeAbsent) {
    const auto whole = database.value<Nested>("SELECT 1, 'one', 2, NULL, 'paid'");
    EXPECT_EQ(whole.second, (Pair{2, std::nullopt}));
    const auto half = database.value<Nested>("SELECT 1, 'one', NULL, NULL, 'paid'");
    EXPECT_EQ(half.second, std::nullopt);
    EXPECT_EQ(half.state, OrderState::paid);
}

TEST_F(RowsTest, AFailedReadLeavesTheStatementUsable) {
    constexpr std::string_view query = "SELECT ?1";
    EXPECT_THROW(database.value<std::int64_t>(query, "text"), RowError);
    EXPECT_EQ(database.value<std::int64_t>(query, 3), 3);
}

TEST_F(RowsTest, AreBoundFieldByField) {
    database.run_script("CREATE TABLE kept (a, b, c, d, e, f)");
    constexpr std::string_view keep = "INSERT INTO kept VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    database.run(keep, Nested{{1, "one"}, Pair{2, "two"}, OrderState::paid}, std::string("end"));
    auto again = database.repeat(keep);
    again.run(Nested{{3, std::nullopt}, std::nullopt, OrderState::expired}, std::string("end"));
    std::vector<std::optional<Pair>> seconds;
    for (const auto& [row, end] :
         database.rows<std::tuple<Nested, std::string>>("SELECT * FROM kept")) {
        seconds.push_back(row.second);
        EXPECT_EQ(end, "end");
    }
    EXPECT_THAT(seconds, ElementsAre(Pair{2, "two"}, std::nullopt));
    EXPECT_EQ(database.value<std::int64_t>("SELECT count(*) FROM kept WHERE e = 'expired'"), 1);
}

}  // namespace
}  // namespace sluice::sqlite
