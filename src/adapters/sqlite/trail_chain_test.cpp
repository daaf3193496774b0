#include "adapters/sqlite/engine/trail_chain.hpp"

#include <gtest/gtest.h>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/trail_chain.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/migrations.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using Names = std::vector<std::string>;

Names broken_links(Database& database) {
    Names names;
    for (const auto& each : ledgers::broken_links(database)) names.push_back(text_of(each));
    return names;
}

Deed make_deed(std::int64_t id) {
    return {.id = DeedId{id},
            .at = from_millis(1'000 + id),
            .actor = UserId{1},
            .address = "127.0.0.1",
            .request_id = "r",
            .action = "sale.pause",
            .subject = "7",
            .before = "{}",
            .after = "{}"};
}

Deed make_command_deed(std::int64_t id) {
    auto deed = make_deed(id);
    deed.actor = std::nullopt;
    deed.os_user = "root";
    return deed;
}

class TrailChainTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";

    static void add_users(Database& database) {
        database.run(
            "INSERT INTO users VALUES (1, '1', '', 'admin', NULL, 0), (2, '2', '', 'admin', NULL, "
            "0)");
    }

    /// With deeds 1, 3, 2 and 4, in this order, and without the triggers that protect them. Deed 4
    /// was done at the command line.
    Database make_trail() {
        migrate(file);
        auto database = Database::open_writer(file);
        add_users(database);
        for (const std::int64_t id : {1, 3, 2}) ledgers::add_deed(database, make_deed(id));
        ledgers::add_deed(database, make_command_deed(4));
        EXPECT_EQ(broken_links(database), Names{});
        for (const char* trigger : {"audit_trail_is_not_edited", "audit_trail_is_not_shortened",
                                    "trail_chain_is_not_edited", "trail_chain_is_not_shortened",
                                    "audit_trail_is_chained"})
            database.run_script(std::string("DROP TRIGGER ") + trigger);
        return database;
    }
};

TEST_F(TrailChainTest, EachFieldIsPartOfTheHash) {
    const Deed deed = make_deed(1);
    const auto hash = hash_of({}, deed);
    EXPECT_EQ(hash, hash_of({}, deed));
    EXPECT_NE(hash, hash_of({1}, deed));
    auto other = deed;
    other.os_user = "";
    EXPECT_NE(hash_of({}, other), hash) << "a name that is empty is a name";
    auto moved = deed;
    moved.address = "127.0.0.1r";
    moved.request_id = "";
    EXPECT_NE(hash_of({}, moved), hash) << "where one field ends and the next begins counts";
}

TEST_F(TrailChainTest, EveryChangeOfAFieldIsNamed) {
    auto database = make_trail();
    for (const char* field : {"at", "actor_id", "address", "request_id", "action", "subject",
                              "state_before", "state_after"}) {
        database.run("BEGIN");
        database.run(std::string("UPDATE audit_trail SET ") + field + " = '2' WHERE id = 3");
        EXPECT_EQ(broken_links(database),
                  Names{"deed 3 was changed, or does not follow the one before"})
            << field;
        database.run("ROLLBACK");
    }
    EXPECT_EQ(broken_links(database), Names{});
}

TEST_F(TrailChainTest, AnotherNameOfWhoRanACommandIsNamed) {
    auto database = make_trail();
    database.run("UPDATE audit_trail SET os_user = 'somebody' WHERE id = 4");
    EXPECT_EQ(broken_links(database),
              Names{"deed 4 was changed, or does not follow the one before"});
}

TEST_F(TrailChainTest, ARemovedDeedIsNamed) {
    auto database = make_trail();
    database.run("DELETE FROM audit_trail WHERE id = 3");
    EXPECT_EQ(broken_links(database), Names{"deed 3 was removed"});
}

TEST_F(TrailChainTest, ADeedRemovedWithItsLinkLeavesAGap) {
    auto database = make_trail();
    database.run("DELETE FROM audit_trail WHERE id = 3");
    database.run("DELETE FROM trail_chain WHERE deed_id = 3");
    EXPECT_EQ(broken_links(database), Names{"before deed 2 the trail has lost 1"});
    database.run("UPDATE trail_chain SET place = 2 WHERE deed_id = 2");
    database.run("UPDATE trail_chain SET place = 3 WHERE deed_id = 4");
    EXPECT_EQ(broken_links(database),
              Names{"deed 2 was changed, or does not follow the one before"});
}

TEST_F(TrailChainTest, ADeedThatWasPutInIsNamed) {
    auto database = make_trail();
    ledgers::add_deed(database, make_deed(5));
    EXPECT_EQ(broken_links(database), Names{"deed 5 was put in"});
    database.run("INSERT INTO trail_chain VALUES (5, 5, zeroblob(32))");
    EXPECT_EQ(broken_links(database),
              Names{"deed 5 was changed, or does not follow the one before"});
}

TEST_F(TrailChainTest, TheChainItselfIsAppendOnly) {
    migrate(file);
    auto database = Database::open_writer(file);
    add_users(database);
    ledgers::add_deed(database, make_deed(1));
    EXPECT_THROW(database.run("UPDATE trail_chain SET hash = zeroblob(32)"), Error);
    EXPECT_THROW(database.run("DELETE FROM trail_chain"), Error);
}

TEST_F(TrailChainTest, DeedsFromBeforeTheChainAreChained) {
    auto database = Database::open_bare(":memory:");
    for (const auto& [name, script] : migrations::files) {
        if (name.ends_with("trail_chain.sql")) {
            add_users(database);
            for (const std::int64_t id : {2, 1, 3})
                database.run(
                    "INSERT INTO audit_trail VALUES (?1, ?1, 1, '127.0.0.1', 'r', 'sale.pause', "
                    "'7', '{}', '{}')",
                    id);
        }
        database.run_script(script);
    }
    ledgers::add_deed(database, make_command_deed(4));
    EXPECT_EQ(broken_links(database), Names{});
    const auto [links, last] = database.value<std::tuple<std::int64_t, std::int64_t>>(
        "SELECT count(*), max(place) FROM trail_chain");
    EXPECT_EQ(links, 4);
    EXPECT_EQ(last, 4);
}

}  // namespace
}  // namespace sluice::sqlite
