#include "adapters/sql/ledgers/order_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

class OrderListTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";

    std::vector<std::string> plan(std::string_view sql) {
        migrate(file);
        auto database = Database::open_reader(file);
        std::vector<std::string> steps;
        using Step = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;
        for (auto& [id, parent, unused, detail] :
             database.rows<Step>("EXPLAIN QUERY PLAN " + std::string(sql)))
            steps.push_back(std::move(detail));
        return steps;
    }
};

TEST_F(OrderListTest, NoPageReadsMoreOrdersThanItShows) {
    for (const auto sql : {sql::page_of_orders, sql::page_of_outcome, sql::page_of_sale,
                           sql::page_of_sale_in_state, sql::page_of_money, sql::page_of_owed}) {
        const auto steps = plan(sql);
        ASSERT_FALSE(steps.empty());
        EXPECT_THAT(steps, Each(Not(HasSubstr("SCAN")))) << sql;
        EXPECT_THAT(steps, Each(Not(HasSubstr("TEMP B-TREE")))) << sql;
    }
}

TEST_F(OrderListTest, PendingOnesAreReadByTheSalesThatHoldUnits) {
    const auto steps = plan(sql::page_of_pending);
    EXPECT_THAT(steps, Each(Not(AllOf(HasSubstr("SCAN"), HasSubstr("orders")))));
    EXPECT_THAT(steps, Each(Not(AllOf(HasSubstr("SCAN"), HasSubstr("held")))));
    EXPECT_THAT(steps, testing::Contains(HasSubstr("SEARCH held USING COVERING INDEX")));
}

TEST_F(OrderListTest, UsersAreFoundByTheIndexOfNames) {
    EXPECT_THAT(plan(sql::find_users_named),
                testing::ElementsAre(HasSubstr("SEARCH users USING COVERING INDEX users_by_name")));
}

TEST_F(OrderListTest, ABuyersOrdersAreReadByTheirTickets) {
    EXPECT_THAT(plan(sql::page_of_buyer), Each(Not(HasSubstr("SCAN"))));
}

}  // namespace
}  // namespace sluice::sqlite
