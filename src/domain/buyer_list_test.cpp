#include "domain/buyer_list.hpp"

#include <gmock/gmock.h>

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const PhoneForm kChina(find_country("CN"));

std::vector<std::string> read(std::string_view csv, const PhoneForm& form = kChina) {
    std::vector<std::string> texts;
    for (const auto& buyer : read_buyer_list(csv, form).buyers) {
        const auto* phone = std::get_if<std::string>(&buyer);
        texts.push_back(phone ? *phone : "#" + std::get<UserId>(buyer).text());
    }
    return texts;
}

std::vector<std::string> errors(std::string_view csv) {
    const auto list = read_buyer_list(csv, kChina);
    std::vector<std::string> texts;
    for (const auto& error : list.errors)
        texts.push_back(error.field + ": " + text_of(error.complaint));
    return texts;
}

TEST(BuyerList, PhonesAreOneInEverySpelling) {
    EXPECT_THAT(read("13800138000\n+8613800138000\r\n0086 138 0013 8000\n138-0013-8001\n"),
                ElementsAre("+8613800138000", "+8613800138001"));
    EXPECT_THAT(read("13800138000\n", PhoneForm()), ElementsAre("13800138000"));
}

TEST(BuyerList, AnIdIsLongerThanAnyPhone) {
    EXPECT_THAT(read("289637012345678901\n13800138000\n"),
                ElementsAre("#289637012345678901", "+8613800138000"));
    EXPECT_THAT(read("id\n7\n12\n7\n"), ElementsAre("#7", "#12"));
    EXPECT_THAT(errors("phone\nx\n"), SizeIs(1));
}

TEST(BuyerList, AFirstLineWithoutADigitIsTheNameOfTheColumn) {
    for (const char* name : {"phone", "Phones", "\xEF\xBB\xBFmobile", "\"phone\"", "Telefon", "号"})
        EXPECT_THAT(read(std::string(name) + "\n13800138000\n"), ElementsAre("+8613800138000"))
            << name;
    EXPECT_THAT(errors("13800138000\nphone\n"),
                ElementsAre("line 2: is neither a phone nor the id of a user"));
}

TEST(BuyerList, WhatWeExportIsReadBack) {
    EXPECT_THAT(read("phone_or_id\r\n'+8613800138000\r\n289637012345678901\r\n"),
                ElementsAre("#289637012345678901", "+8613800138000"));
}

TEST(BuyerList, NamesTheBadLinesAndTakesNothingElseFromThem) {
    EXPECT_THAT(errors("phone\n13800138000\n\n1.38E+10\n13800138001,Li\n\"1380\n"),
                ElementsAre("line 4: is neither a phone nor the id of a user",
                            "line 5: must have one column, of phones or of ids",
                            "line 6: has quotes that do not fit together"));
    EXPECT_THAT(errors("id\n0\n"), SizeIs(1));
    EXPECT_THAT(errors("id\n9223372036854775808\n"), SizeIs(1));
    EXPECT_THAT(errors("🎁\n🎁\n"), SizeIs(1));
}

TEST(BuyerList, TellsOnlyTheFirstErrors) {
    std::string csv;
    for (int i = 0; i < 1'000; ++i) csv += "no\n";
    EXPECT_THAT(errors(csv), SizeIs(kMostListErrors));
}

TEST(BuyerList, AListOfNobodyIsAMistake) {
    for (const char* csv : {"", "\n\n", "phone\n", "\xEF\xBB\xBF"})
        EXPECT_THAT(errors(csv), SizeIs(1)) << csv;
    EXPECT_THAT(errors("13800138000"), IsEmpty());
}

}  // namespace
}  // namespace sluice
