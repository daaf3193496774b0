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

TEST(PhoneCountries, AreAllUnlessTheyAreNamed) {
    const PhoneCountries all;
    for (const char* phone : {"+8613712345678", "+882333333333", "13712345678", "1"})
        EXPECT_TRUE(all.allow(phone)) << phone;
    EXPECT_FALSE(PhoneCountries(std::vector<const Country*>{}).allow("+8613712345678"));
}

TEST(PhoneCountries, NoOthersAreAllowed) {
    const PhoneCountries countries({find_country("CN"), find_country("HK"), find_country("US")});
    const struct {
        const char* phone;
        bool allowed;
    } rows[] = {
        {"+8613712345678", true},
        {"+85261234567", true},
        {"+12025550123", true},
        {"13712345678", true},        // as it is typed where no country is configured
        {"+861371234567890", false},  // longer than any of China
        {"+86137", false},
        {"+882333333333", false},  // international networks
        {"+2250700000000", false},
        {"+37250000000", false},
        {"+447000000000", false},
        {"2250700000000", false},
        {"+8526123456", false},
        {"+", false},
        {"", false},
    };
    for (const auto& [phone, allowed] : rows) EXPECT_EQ(countries.allow(phone), allowed) << phone;
}

TEST(PhoneCountries, ThoseThatShareACodeStandForEachOther) {
    EXPECT_TRUE(PhoneCountries({find_country("US")}).allow("+16135550123"));
}

}  // namespace
}  // namespace sluice
