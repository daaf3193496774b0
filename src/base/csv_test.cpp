#include "base/csv.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Fields = std::vector<std::string>;

std::vector<CsvRow> read_all(std::string_view text) {
    CsvReader reader(text);
    std::vector<CsvRow> rows;
    while (auto row = reader.next()) rows.push_back(std::move(*row));
    return rows;
}

TEST(Csv, FieldsStandBetweenCommas) {
    const auto rows = read_all("a,b,\n,c\r\nlast");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].fields, (Fields{"a", "b", ""}));
    EXPECT_EQ(rows[1].fields, (Fields{"", "c"}));
    EXPECT_EQ(rows[2].fields, (Fields{"last"}));
    EXPECT_EQ(rows[2].line, 3u);
}

TEST(Csv, QuotesHoldCommasQuotesAndLineBreaks) {
    const auto rows = read_all("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\nnext,\"\"\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].fields, (Fields{"a,b", "say \"hi\"", "two\nlines"}));
    EXPECT_EQ(rows[1].fields, (Fields{"next", ""}));
    EXPECT_EQ(rows[1].line, 3u) << "lines of the file, not rows";
}

TEST(Csv, PassesOverEmptyLinesAndAByteOrderMark) {
    const auto rows = read_all("\xef\xbb\xbf\n\r\na\n\n\nb\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].line, 3u);
    EXPECT_EQ(rows[0].fields, (Fields{"a"}));
    EXPECT_EQ(rows[1].line, 6u);
    EXPECT_TRUE(read_all("").empty());
}

TEST(Csv, NamesBrokenQuotingAndGoesOnBehindIt) {
    const auto rows = read_all("a\"b,c\n\"a\"b,c\nfine\n\"open,\nx\n");
    ASSERT_GE(rows.size(), 4u);
    EXPECT_FALSE(rows[0].error.empty());
    EXPECT_FALSE(rows[1].error.empty());
    EXPECT_TRUE(rows[2].error.empty());
    EXPECT_EQ(rows[2].fields, (Fields{"fine"}));
    EXPECT_FALSE(rows[3].error.empty());
    EXPECT_EQ(rows[3].line, 4u);
}

std::string written(std::initializer_list<std::string_view> fields) {
    std::string text;
    append_csv_row(text, fields);
    return text;
}

TEST(Csv, WritesWhatItReads) {
    const auto text = written({"a,b", "say \"hi\"", "two\r\nlines", "", "茶"});
    EXPECT_EQ(text, "\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",,茶\r\n");
    const auto rows = read_all(text);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].fields, (Fields{"a,b", "say \"hi\"", "two\r\nlines", "", "茶"}));
}

TEST(Csv, WritesNothingThatASpreadsheetWouldCarryOut) {
    for (const std::string start : {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"}) {
        const auto field = start + "cmd|' /C calc'!A0";
        const auto rows = read_all(written({field, "x"}));
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].fields, (Fields{"'" + field, "x"}));
    }
    EXPECT_EQ(written({"a=b", "1-2", "a@b"}), "a=b,1-2,a@b\r\n") << "only at the beginning";
}

TEST(Csv, WritesNoFormulaForSpreadsheetsThatSplitAtSemicolons) {
    EXPECT_EQ(written({"1", "tea;=1+1"}), "1,\"tea;'=1+1\"\r\n");
    EXPECT_EQ(written({"a;+8613900000001;-5"}), "\"a;+8613900000001;-5\"\r\n") << "numbers";
    EXPECT_EQ(written({"a; b;c"}), "\"a; b;c\"\r\n");
    // The cells that a spreadsheet in such a language finds: none begins like a formula.
    for (const std::string field : {"a;=1", "a;;=1", "a; =1", "a;\"=1+1\"", "a\n=1", "a\t@SUM(1)",
                                    "a;＝1", ";-1+cmd|' /C calc'!A0", "a\r\n=1", "=1;=2"}) {
        auto text = written({"1", field, "z"});
        std::size_t begin = 0;
        while (begin < text.size()) {
            auto end = std::min(text.find_first_of(";\t\r\n", begin), text.size());
            auto cell = std::string_view(text).substr(begin, end - begin);
            while (cell.starts_with('"') || cell.starts_with(' ')) cell.remove_prefix(1);
            for (const std::string_view start : {"=", "+", "-", "@", "＝"})
                EXPECT_FALSE(cell.starts_with(start)) << field << " as " << text;
            begin = end + 1;
        }
    }
}

}  // namespace
}  // namespace sluice
