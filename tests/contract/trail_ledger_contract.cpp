#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

class TrailLedgerContract : public contract::LedgerContract {
  protected:
    TrailLedger& trail = ledgers->all().trail();

    void SetUp() override {
        add_user(1);
        for (int id = 1; id <= 5; ++id) add_item(id);
    }
    static std::vector<std::int64_t> ids(const std::vector<TrailLedger::Entry>& entries) {
        std::vector<std::int64_t> list;
        for (const auto& entry : entries) list.push_back(entry.deed.id.value);
        return list;
    }
};

TEST_P(TrailLedgerContract, ListsTheNewestFirstInPages) {
    using List = std::vector<std::int64_t>;
    EXPECT_EQ(ids(run_to_end(trail.list(std::nullopt, 2))), (List{5, 4}));
    EXPECT_EQ(ids(run_to_end(trail.list(DeedId{4}, 2))), (List{3, 2}));
    EXPECT_EQ(ids(run_to_end(trail.list(DeedId{2}, 2))), (List{1}));
    EXPECT_EQ(ids(run_to_end(trail.list(DeedId{1}, 2))), List{});
}

TEST_P(TrailLedgerContract, KeepsAllOfADeedAndNamesItsActor) {
    const auto entry = run_to_end(trail.list(std::nullopt, 1)).at(0);
    const auto deed = make_deed(5);
    EXPECT_EQ(entry.actor_name, "user 1");
    EXPECT_EQ(entry.deed.at, deed.at);
    EXPECT_EQ(entry.deed.actor, deed.actor);
    EXPECT_EQ(entry.deed.address, deed.address);
    EXPECT_EQ(entry.deed.request_id, deed.request_id);
    EXPECT_EQ(entry.deed.action, deed.action);
    EXPECT_EQ(entry.deed.subject, deed.subject);
    EXPECT_EQ(entry.deed.before, deed.before);
    EXPECT_EQ(entry.deed.after, deed.after);
}

TEST_P(TrailLedgerContract, TakesADeedThatChangesNothing) {
    run_to_end(trail.add(make_deed(6)));
    const auto entry = run_to_end(trail.list(std::nullopt, 1)).at(0);
    EXPECT_EQ(entry.deed.id, DeedId{6});
    EXPECT_EQ(entry.deed.action, make_deed(6).action);
}

TEST_P(TrailLedgerContract, ADeedOfTheCommandLineHasTheSystemsNameOfWhoRanIt) {
    auto deed = make_deed(6);
    deed.actor = std::nullopt;
    deed.os_user = "root";
    deed.address = deed.request_id = "";
    run_to_end(trail.add(deed));
    const auto entry = run_to_end(trail.list(std::nullopt, 1)).at(0);
    EXPECT_EQ(entry.deed.id, DeedId{6});
    EXPECT_EQ(entry.deed.actor, std::nullopt);
    EXPECT_EQ(entry.deed.os_user, "root");
    EXPECT_EQ(entry.actor_name, "");
}

TEST_P(TrailLedgerContract, EveryDeedIsDoneBySomebody) {
    auto deed = make_deed(6);
    deed.actor = std::nullopt;
    EXPECT_ANY_THROW(run_to_end(trail.add(deed)));
    deed = make_deed(7);
    deed.os_user = "root";
    EXPECT_ANY_THROW(run_to_end(trail.add(deed))) << "by one, not by two";
}

RUN_ON_EVERY_ADAPTER(TrailLedgerContract);

}  // namespace
}  // namespace sluice
