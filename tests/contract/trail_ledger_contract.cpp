#include "base/id_source.hpp"
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
    EXPECT_EQ(ids(run_to_end(trail.list({}, 2))), (List{5, 4}));
    EXPECT_EQ(ids(run_to_end(trail.list({.before = DeedId{4}}, 2))), (List{3, 2}));
    EXPECT_EQ(ids(run_to_end(trail.list({.before = DeedId{2}}, 2))), (List{1}));
    EXPECT_EQ(ids(run_to_end(trail.list({.before = DeedId{1}}, 2))), List{});
}

TEST_P(TrailLedgerContract, KeepsAllOfADeedAndNamesItsActor) {
    const auto entry = run_to_end(trail.list({}, 1)).at(0);
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
    const auto entry = run_to_end(trail.list({}, 1)).at(0);
    EXPECT_EQ(entry.deed.id, DeedId{6});
    EXPECT_EQ(entry.deed.action, make_deed(6).action);
}

TEST_P(TrailLedgerContract, ADeedOfTheCommandLineHasTheSystemsNameOfWhoRanIt) {
    auto deed = make_deed(6);
    deed.actor = std::nullopt;
    deed.os_user = "root";
    deed.address = deed.request_id = "";
    run_to_end(trail.add(deed));
    const auto entry = run_to_end(trail.list({}, 1)).at(0);
    EXPECT_EQ(entry.deed.id, DeedId{6});
    EXPECT_EQ(entry.deed.actor, std::nullopt);
    EXPECT_EQ(entry.deed.os_user, "root");
    EXPECT_EQ(entry.actor_name, "");
}

TEST_P(TrailLedgerContract, FindsWhatIsAskedFor) {
    using List = std::vector<std::int64_t>;
    add_user(2);
    auto resend = make_deed(6);
    resend.action = "webhook.resend";
    resend.subject = "77";
    resend.actor = UserId{2};
    run_to_end(trail.add(resend));
    auto other_kind = make_deed(7);
    other_kind.action = "webhooks.list";  // of another kind
    other_kind.actor = std::nullopt;
    other_kind.os_user = "root";
    run_to_end(trail.add(other_kind));

    const auto found = [&](TrailLedger::Wanted wanted) {
        return ids(run_to_end(trail.list(std::move(wanted), 9)));
    };
    EXPECT_EQ(found({}), (List{7, 6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(found({.action = "webhook.resend"}), List{6});
    EXPECT_EQ(found({.action = "webhook"}), List{6});
    EXPECT_EQ(found({.action = "webhoo"}), List{});
    EXPECT_EQ(found({.actor = UserId{2}}), List{6});
    EXPECT_EQ(found({.by_command_line = true}), List{7});
    EXPECT_EQ(found({.subject = "77"}), List{6});
    EXPECT_EQ(found({.action = "webhook", .actor = UserId{1}}), List{});
    EXPECT_EQ(found({.actor = UserId{1}, .before = DeedId{3}}), (List{2, 1}));
}

TEST_P(TrailLedgerContract, FindsAStretchOfTime) {
    const Timestamp noon{std::chrono::milliseconds{1'800'000'000'000}};
    for (const int minute : {0, 1, 2}) {
        auto deed = make_deed(1);
        deed.at = noon + std::chrono::minutes{minute};
        deed.id.value = IdSource::first_at(deed.at);
        run_to_end(trail.add(deed));
    }
    const auto found = [&](TrailLedger::Wanted wanted) {
        return run_to_end(trail.list(std::move(wanted), 9)).size();
    };
    using std::chrono::minutes;
    EXPECT_EQ(found({.from = noon}), 3u);
    EXPECT_EQ(found({.from = noon + minutes{1}}), 2u);
    EXPECT_EQ(found({.from = noon, .until = noon + minutes{2}}), 2u) << "the end is not in it";
    EXPECT_EQ(found({.until = noon}), 5u) << "those of the set-up";
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
