#include "adapters/mariadb/engine/dialect.hpp"

#include <gtest/gtest.h>

namespace sluice::mariadb {
namespace {

TEST(Dialect, ValuesAreSentInTheOrderOfTheirMarks) {
    const auto sale = translate("UPDATE sales SET a = a - ?2, b = b + ?2 WHERE id = ?1;");
    EXPECT_EQ(sale.text, "UPDATE sales SET a = a - ?, b = b + ? WHERE id = ?");
    EXPECT_EQ(sale.parameters, (std::vector{2, 2, 1}));
    EXPECT_EQ(sale.values, 2);
    EXPECT_FALSE(sale.where_absent);
}

TEST(Dialect, WhatIsQuotedOrACommentHoldsNoValue) {
    const auto text = translate("SELECT '?1 it''s', `a?2`, ?12 -- ?3\nFROM t /* ?4 */");
    EXPECT_EQ(text.text, "SELECT '?1 it''s', `a?2`, ? \nFROM t ");
    EXPECT_EQ(text.parameters, std::vector{12});
    EXPECT_EQ(text.values, 12);
}

TEST(Dialect, ARowThatIsThereMayStand) {
    const auto text = translate("INSERT INTO t (a) VALUES (?1)\nON CONFLICT DO NOTHING;");
    EXPECT_EQ(text.text, "INSERT INTO t (a) VALUES (?)");
    EXPECT_TRUE(text.where_absent);
    const auto own = translate("/* absent */ INSERT INTO t (a) VALUES (?1);");
    EXPECT_EQ(own.text, " INSERT INTO t (a) VALUES (?)");
    EXPECT_TRUE(own.where_absent);
}

TEST(Dialect, OverTheArchiveTablesStandUnderTheNamesOfTheLedgers) {
    EXPECT_EQ(over_archive("SELECT payments.id FROM payments WHERE id = ?1", ArchivedRows::valid),
              "SELECT payments.id FROM archived_payments AS payments WHERE id = ?1");
    EXPECT_EQ(
        over_archive("SELECT p.id FROM payments AS p STRAIGHT_JOIN refunds ON a = b",
                     ArchivedRows::all),
        "SELECT p.id FROM archived_payments AS p STRAIGHT_JOIN archived_refunds AS refunds ON a = "
        "b");
    EXPECT_EQ(over_archive("DELETE orders FROM orders WHERE sale_id = ?1", ArchivedRows::all),
              "DELETE orders FROM archived_orders AS orders WHERE sale_id = ?1");
}

TEST(Dialect, ReadersSeeOnlyWhatIsArchived) {
    constexpr std::string_view kText = "SELECT orders.id FROM orders JOIN users ON users.id = 1";
    EXPECT_EQ(over_archive(kText, ArchivedRows::valid),
              "SELECT orders.id FROM (SELECT archived_orders.* FROM archived_orders STRAIGHT_JOIN "
              "archived_sales ON archived_sales.sale_id = archived_orders.sale_id) AS orders JOIN "
              "users ON users.id = 1");
    EXPECT_EQ(over_archive("SELECT 1 FROM sales WHERE id NOT IN (SELECT sale_id FROM "
                           "archived_sales)",
                           ArchivedRows::valid),
              "SELECT 1 FROM (SELECT sales.* FROM sales JOIN archived_sales ON "
              "archived_sales.sale_id = sales.id) AS sales WHERE id NOT IN (SELECT sale_id FROM "
              "(SELECT * FROM archived_sales WHERE FALSE) AS archived_sales)");
    EXPECT_EQ(over_archive("SELECT 1 FROM archived_sales", ArchivedRows::all),
              "SELECT 1 FROM archived_sales");
}

TEST(Dialect, OverTheArchiveIndexesAreLeftToTheServer) {
    EXPECT_EQ(over_archive("SELECT 1 -- why\nFROM refunds FORCE INDEX (by_outcome)\nWHERE 'FROM "
                           "orders' = ?1",
                           ArchivedRows::all),
              "SELECT 1 \nFROM archived_refunds AS refunds \nWHERE 'FROM orders' = ?1");
}

TEST(Dialect, AStatementOfAMigrationEndsBeforeAnEmptyLine) {
    EXPECT_EQ(
        split_script("-- About it.\n\nCREATE TABLE a (\n    b INT\n);\n\n"
                     "-- A trigger.\nCREATE TRIGGER c\nBEGIN\n    SET x = 1;\n    SET y = 2;\n"
                     "END;\n"),
        (std::vector<std::string>{"CREATE TABLE a (\n    b INT\n)",
                                  "CREATE TRIGGER c\nBEGIN\n    SET x = 1;\n    SET y = 2;\n"
                                  "END"}));
}

}  // namespace
}  // namespace sluice::mariadb
