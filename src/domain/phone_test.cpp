#include "domain/phone.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice {
namespace {

PhoneForm in(std::string_view country) {
    const auto* found = find_country(country);
    EXPECT_TRUE(found) << country;
    return PhoneForm(found);
}

TEST(Phone, FourSpellingsAreOnePerson) {
    const auto form = in("CN");
    for (const char* phone : {"13712345678", "+8613712345678", "008613712345678", "8613712345678",
                              "013712345678", "+86013712345678"})
        EXPECT_EQ(form.canonical(phone), "+8613712345678") << phone;
}

TEST(Phone, WhereTheTrunkIsADigitOfNumbersTheLengthDecides) {
    const auto us = in("US");
    for (const char* phone : {"2025550123", "12025550123", "+12025550123", "01112025550123"})
        EXPECT_EQ(us.canonical(phone), "+12025550123") << phone;
    const auto ru = in("RU");
    for (const char* phone : {"88005553535", "8005553535", "+78005553535", "81078005553535"})
        EXPECT_EQ(ru.canonical(phone), "+78005553535") << phone;
    EXPECT_EQ(in("IT").canonical("0612345678"), "+390612345678") << "its 0 is part of the number";
    EXPECT_EQ(in("GB").canonical("07700900123"), "+447700900123");
}

TEST(Phone, PeopleFromAbroadKeepTheirCountry) {
    const auto form = in("CN");
    EXPECT_EQ(form.canonical("+447700900123"), "+447700900123");
    EXPECT_EQ(form.canonical("00447700900123"), "+447700900123");
}

TEST(Phone, WhatCannotBeReadStaysAsItIs) {
    const auto form = in("CN");
    for (const char* phone :
         {"10000001", "12345", "+1234567890123456789", "12345678901234567890", "00", "+", ""})
        EXPECT_EQ(form.canonical(phone), phone);
}

TEST(Phone, WithoutACountryOnlyTheFormsFromAbroadAreOne) {
    const PhoneForm form;
    for (const char* phone : {"13712345678", "8613712345678", "013712345678", "+8613712345678",
                              "00", "001234", "0012345678901234567890", "+", ""})
        EXPECT_EQ(form.canonical(phone), phone);
    EXPECT_EQ(form.canonical("008613712345678"), "+8613712345678");
    EXPECT_EQ(form.spellings("13712345678"), std::vector<std::string>{"13712345678"});
    EXPECT_EQ(form.spellings("+8613712345678"),
              (std::vector<std::string>{"+8613712345678", "008613712345678"}));
    EXPECT_EQ(form.spellings("008613712345678"),
              (std::vector<std::string>{"008613712345678", "+8613712345678"}));
}

TEST(Phone, EverySpellingHasTheSameForm) {
    for (const char* country : {"CN", "US", "RU", "IT", "DE", "HK", "JP", "GB", "SG"}) {
        const auto form = in(country);
        for (const char* phone : {"13712345678", "2025550123", "88005553535", "0612345678",
                                  "+447700900123", "00447700900123", "10000001", "91234567"}) {
            const auto canonical = form.canonical(phone);
            EXPECT_EQ(form.canonical(canonical), canonical) << country << " " << phone;
            const auto spellings = form.spellings(phone);
            EXPECT_EQ(spellings.front(), phone);
            EXPECT_TRUE(std::ranges::find(spellings, canonical) != spellings.end());
            EXPECT_LE(spellings.size(), 7u);
            for (const auto& each : spellings)
                EXPECT_EQ(form.canonical(each), canonical) << country << " " << each;
        }
    }
}

TEST(Phone, AllSpellingsLeadToEachOther) {
    const auto form = in("CN");
    auto expected = form.spellings("13712345678");
    std::ranges::sort(expected);
    EXPECT_GE(expected.size(), 5u);
    for (const auto& each : expected) {
        auto found = form.spellings(each);
        std::ranges::sort(found);
        EXPECT_EQ(found, expected) << each;
    }
}

TEST(Phone, CountriesHaveTheirTwoLetters) {
    EXPECT_FALSE(find_country(""));
    EXPECT_FALSE(find_country("cn"));
    EXPECT_FALSE(find_country("XX"));
    EXPECT_EQ(find_country("CN")->code, "86");
}

}  // namespace
}  // namespace sluice
