// What several servers on one database share: their parts of ids, and keys.

#include <set>

#include <gtest/gtest.h>

#include "adapters/mariadb/ledger.hpp"
#include "base/run_to_end.hpp"
#include "support/mariadb_server.hpp"

namespace sluice::mariadb {
namespace {

class NodesTest : public testing::Test {
  protected:
    void run(const std::string& statement) {
        Connection connection(database.address());
        connection.connect();
        connection.run_script(statement);
    }

    testing_support::MariadbDatabase database;
    Ledger one{{.address = database.address()}};
    Ledger other{{.address = database.address()}};
};

TEST_F(NodesTest, NoTwoServersHaveTheSamePart) {
    std::set<std::int64_t> parts;
    for (std::int64_t process = 1; process <= 20; ++process) {
        auto& ledger = process % 2 == 0 ? one : other;
        const auto part = run_to_end(ledger.lease_node(process));
        ASSERT_TRUE(part);
        EXPECT_TRUE(parts.insert(*part).second) << *part;
        EXPECT_GE(*part, 0);
        EXPECT_LT(*part, Ledger::kMostNodes);
    }
}

TEST_F(NodesTest, APartIsGivenAgainWhenItsServerWasNotSeenForFiveMinutes) {
    run("INSERT INTO ledger_nodes SELECT seq, 1000 + seq, unix_timestamp() FROM seq_0_to_511");
    EXPECT_EQ(run_to_end(one.lease_node(7)), std::nullopt) << "all are taken";
    run("UPDATE ledger_nodes SET seen_at = seen_at - 200 WHERE part IN (40, 41)");
    EXPECT_EQ(run_to_end(one.lease_node(7)), std::nullopt) << "not for long enough yet";
    run("UPDATE ledger_nodes SET seen_at = seen_at - 150 WHERE part = 41");
    EXPECT_EQ(run_to_end(one.lease_node(7)), 41);
    EXPECT_TRUE(run_to_end(one.renew_node(41, 7)));
    EXPECT_FALSE(run_to_end(other.renew_node(41, 1041))) << "it was given away";
    EXPECT_TRUE(run_to_end(other.renew_node(40, 1040)));
}

TEST_F(NodesTest, TheFirstKeyThatIsOfferedIsKept) {
    EXPECT_EQ(run_to_end(one.find_key("master")), std::nullopt);
    EXPECT_EQ(run_to_end(one.keep_key("master", "a")), "a");
    EXPECT_EQ(run_to_end(other.keep_key("master", "b")), "a");
    EXPECT_EQ(run_to_end(other.find_key("master")), "a");
}

TEST_F(NodesTest, AKeyIsReplacedOnlyByWhoKnowsIt) {
    run_to_end(one.keep_key("pass_keys", "a"));
    EXPECT_TRUE(run_to_end(one.replace_key("pass_keys", "a", "b")));
    EXPECT_FALSE(run_to_end(other.replace_key("pass_keys", "a", "c"))) << "somebody was first";
    EXPECT_EQ(run_to_end(other.find_key("pass_keys")), "b");
}

}  // namespace
}  // namespace sluice::mariadb
