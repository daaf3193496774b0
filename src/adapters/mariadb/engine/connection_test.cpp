#include "adapters/mariadb/engine/connection.hpp"

#include <array>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include "adapters/sql/rows.hpp"
#include "support/mariadb_server.hpp"

namespace sluice::mariadb {
namespace {

using testing_support::shared_mariadb;

class ConnectionTest : public testing::Test {
  protected:
    void SetUp() override {
        shared_mariadb().run(
            "CREATE OR REPLACE DATABASE connection_test CHARACTER SET utf8mb4 COLLATE "
            "utf8mb4_nopad_bin");
        connection.connect();
        connection.run_script(
            "CREATE TABLE t (id BIGINT PRIMARY KEY, name TEXT, data VARBINARY(16), "
            "n BIGINT CHECK (n >= 0)) ENGINE = InnoDB");
    }
    ServerAddress address = shared_mariadb().address("connection_test");
    Connection connection{address};
};

using Row = std::tuple<std::int64_t, std::optional<std::string>,
                       std::optional<std::array<unsigned char, 3>>>;

TEST_F(ConnectionTest, ReadsWhatWasWrittenWhateverIsInIt) {
    const std::array<unsigned char, 3> data{0, 255, 7};
    connection.run("INSERT INTO t (id, name, data) VALUES (?1, ?2, ?3)", -5, "茶 \\'\"🍵", data);
    connection.run("INSERT INTO t (id, name, data) VALUES (?1, ?2, ?3)", 2, "", std::nullopt);
    const auto rows = connection.rows<Row>("SELECT id, name, data FROM t ORDER BY id").to_vector();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0], Row(-5, "茶 \\'\"🍵", data));
    EXPECT_EQ(rows[1], Row(2, "", std::nullopt));
}

TEST_F(ConnectionTest, AValueThatContradictsItsFieldIsAnError) {
    connection.run("INSERT INTO t (id, name) VALUES (1, 'a')");
    EXPECT_THROW(connection.row<std::int64_t>("SELECT name FROM t"), RowError);
    EXPECT_THROW(connection.row<std::string>("SELECT id FROM t"), RowError);
    EXPECT_THROW(connection.row<std::int64_t>("SELECT n FROM t"), RowError);
}

TEST_F(ConnectionTest, AQueryMayRunWhileAnotherIsRead) {
    for (int i = 1; i <= 3; ++i) connection.run("INSERT INTO t (id) VALUES (?1)", i);
    std::int64_t sum = 0;
    for (const auto id : connection.rows<std::int64_t>("SELECT id FROM t"))
        sum += connection.value<std::int64_t>("SELECT id * 10 FROM t WHERE id = ?1", id);
    EXPECT_EQ(sum, 60);
}

TEST_F(ConnectionTest, AnUpdateCountsTheRowsThatItFound) {
    connection.run("INSERT INTO t (id, n) VALUES (1, 7)");
    EXPECT_EQ(connection.run("UPDATE t SET n = ?1 WHERE id = ?2", 7, 1), 1u);
    EXPECT_EQ(connection.run("UPDATE t SET n = ?1 WHERE id = ?2", 7, 2), 0u);
}

TEST_F(ConnectionTest, ARowThatIsThereStandsButACheckStillFails) {
    const auto add = "INSERT INTO t (id, n) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    EXPECT_EQ(connection.run(add, 1, 7), 1u);
    EXPECT_EQ(connection.run(add, 1, 8), 0u);
    EXPECT_EQ(connection.value<std::int64_t>("SELECT n FROM t"), 7);
    EXPECT_THROW(connection.run(add, 2, -1), Error);
    EXPECT_EQ(connection.value<std::int64_t>("SELECT count(*) FROM t"), 1);
}

TEST_F(ConnectionTest, ManyRowsGoInOnePacket) {
    auto& add = connection.statement("INSERT INTO t (id, name, data, n) VALUES (?1, ?2, ?3, ?4)");
    const std::array<unsigned char, 2> data{0, 9};
    for (int i = 1; i <= 1'000; ++i) add.keep_row(i, std::to_string(i), data, std::nullopt);
    EXPECT_EQ(add.run_rows(), 1'000u);
    EXPECT_EQ(connection.value<std::int64_t>(
                  "SELECT count(*) FROM t WHERE name = id AND data = x'0009' AND n IS NULL"),
              1'000);
    auto& change = connection.statement("UPDATE t SET n = ?2 WHERE id = ?1");
    for (int i = 1; i <= 10; ++i) change.keep_row(i, i * 2);
    EXPECT_EQ(change.run_rows(), 10u);
    EXPECT_EQ(connection.value<std::int64_t>("SELECT CAST(sum(n) AS SIGNED) FROM t"), 110);
    EXPECT_EQ(connection.run("UPDATE t SET n = ?2 WHERE id = ?1", 11, 5), 1u);
}

TEST_F(ConnectionTest, AConnectionThatTheServerEndsIsLostAndCanBeOpenedAgain) {
    connection.run("INSERT INTO t (id) VALUES (1)");
    shared_mariadb().run("KILL " + std::to_string(connection.id()));
    try {
        connection.run("INSERT INTO t (id) VALUES (2)");
        FAIL() << "the connection is gone";
    } catch (const Error& error) {
        EXPECT_TRUE(error.is_lost()) << error.code();
        EXPECT_TRUE(error.is_outage());
        EXPECT_FALSE(error.is_retry());
    }
    EXPECT_FALSE(connection.is_open());
    connection.connect();
    EXPECT_EQ(connection.value<std::int64_t>("SELECT count(*) FROM t"), 1);
}

TEST_F(ConnectionTest, OfTwoTransactionsInADeadlockOneIsToldToTryAgain) {
    connection.run("INSERT INTO t (id, n) VALUES (1, 0), (2, 0)");
    connection.begin("SERIALIZABLE", std::nullopt, "");
    Connection other(address);
    other.connect();
    other.begin("SERIALIZABLE", std::nullopt, "");
    connection.value<std::int64_t>("SELECT n FROM t WHERE id = 1");
    other.value<std::int64_t>("SELECT n FROM t WHERE id = 1");
    bool lost = false;
    std::thread waits([&] {
        try {
            connection.run("UPDATE t SET n = n + 1 WHERE id = 1");
        } catch (const Error& error) {
            lost = error.is_retry();
        }
    });
    bool other_lost = false;
    try {
        other.run("UPDATE t SET n = n + 1 WHERE id = 1");
    } catch (const Error& error) {
        other_lost = error.is_retry();
    }
    other.roll_back();
    waits.join();
    EXPECT_TRUE(lost || other_lost);
    connection.roll_back();
}

TEST_F(ConnectionTest, AReadOnlyServerIsCalledByItsName) {
    shared_mariadb().run(
        "CREATE OR REPLACE USER reader@localhost; "
        "GRANT ALL ON connection_test.* TO reader@localhost");
    auto as_reader = address;
    as_reader.user = "reader";
    Connection limited(as_reader);
    limited.connect();
    shared_mariadb().run("SET GLOBAL read_only = 1");
    try {
        limited.run("INSERT INTO t (id) VALUES (2)");
        ADD_FAILURE() << "it was written";
    } catch (const Error& error) {
        EXPECT_TRUE(error.is_read_only()) << error.code();
        EXPECT_TRUE(error.is_outage());
    }
    shared_mariadb().run("SET GLOBAL read_only = 0");
}

TEST_F(ConnectionTest, NobodyAtTheSocketIsAnOutage) {
    auto nowhere = address;
    nowhere.socket = "/nonexistent.sock";
    try {
        Connection(nowhere).connect();
        FAIL() << "there is a server";
    } catch (const Error& error) {
        EXPECT_TRUE(error.is_lost());
        EXPECT_NE(std::string(error.what()).find("mariadb://localhost/connection_test"),
                  std::string::npos);
    }
}

TEST_F(ConnectionTest, ASnapshotStaysUntilItLooksAgain) {
    Connection reader(address);
    reader.connect();
    reader.begin_snapshot();
    const auto count = [&] { return reader.value<std::int64_t>("SELECT count(*) FROM t"); };
    EXPECT_EQ(count(), 0);
    connection.run("INSERT INTO t (id) VALUES (1)");
    EXPECT_EQ(count(), 0);
    EXPECT_THROW(reader.run("INSERT INTO t (id) VALUES (3)"), Error);
    EXPECT_TRUE(reader.look_again());
    EXPECT_EQ(count(), 1);
}

}  // namespace
}  // namespace sluice::mariadb
