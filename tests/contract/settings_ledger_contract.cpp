#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using Settings = std::vector<SettingsLedger::Setting>;

class SettingsLedgerContract : public contract::LedgerContract {
  protected:
    SettingsLedger& settings = ledgers->all().settings();

    void SetUp() override { add_user(1); }
    void change(std::vector<SettingsLedger::Change> changes, std::int64_t deed) {
        run_to_end(settings.change(std::move(changes), make_deed(deed)));
    }
};

TEST_P(SettingsLedgerContract, KeepsWhatWasSetLast) {
    EXPECT_EQ(run_to_end(settings.load()), Settings{});
    change({{"b", 2}, {"a", 1}}, 1);
    change({{"b", -3}}, 2);
    EXPECT_EQ(run_to_end(settings.load()), (Settings{{"a", 1}, {"b", -3}}));
}

TEST_P(SettingsLedgerContract, ForgetsWhatIsTakenBack) {
    change({{"a", 1}, {"b", 2}}, 1);
    change({{"a", std::nullopt}, {"never set", std::nullopt}}, 2);
    EXPECT_EQ(run_to_end(settings.load()), (Settings{{"b", 2}}));
}

TEST_P(SettingsLedgerContract, TheDeedIsPartOfTheChange) {
    change({{"a", 1}}, 7);
    const auto entries = run_to_end(ledgers->all().trail().list({}, 10));
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].deed.id, DeedId{7});
    // The same deed twice is refused by the trail: then the settings stay as they are.
    EXPECT_ANY_THROW(change({{"a", 2}}, 7));
    EXPECT_EQ(run_to_end(settings.load()), (Settings{{"a", 1}}));
}

TEST_P(SettingsLedgerContract, KeepsTheFirstTicketKey) {
    const SettingsLedger::TicketKey first{1, 2, 3}, second{4};
    EXPECT_EQ(run_to_end(settings.ticket_key(first)), first);
    EXPECT_EQ(run_to_end(settings.ticket_key(second)), first);
}

RUN_ON_EVERY_ADAPTER(SettingsLedgerContract);

}  // namespace
}  // namespace sluice
