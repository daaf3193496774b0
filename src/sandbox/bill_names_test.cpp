#include "sandbox/bill_names.hpp"

#include <gtest/gtest.h>

#include "support/seeded_random.hpp"

namespace sluice::sandbox {
namespace {

TEST(BillNames, KnowTheirOwnAndNoOther) {
    testing_support::SeededRandom random(1);
    const BillNames names({1, 2, 3}), others({1, 2, 4});
    const auto name = names.make(random);
    EXPECT_EQ(name.size(), 40u);
    EXPECT_TRUE(names.is_ours(name));
    EXPECT_FALSE(others.is_ours(name));
    EXPECT_NE(name, names.make(random));
    for (std::size_t i = 0; i < name.size(); ++i) {
        auto wrong = name;
        wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
        EXPECT_FALSE(names.is_ours(wrong)) << i;
    }
    for (const auto& wrong :
         {std::string(), name + "A", name.substr(1), std::string(40, '='), std::string(40, '\0'),
          std::string(1000, 'A'), name + std::string(1, '\0')})
        EXPECT_FALSE(names.is_ours(wrong)) << wrong;
}

}  // namespace
}  // namespace sluice::sandbox
