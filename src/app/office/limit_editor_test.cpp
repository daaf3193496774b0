#include "app/office/limit_editor.hpp"

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"

namespace sluice {
namespace {

class ScriptedSettings final : public SettingsLedger {
  public:
    Task<std::vector<Setting>> load() override {
        std::vector<Setting> settings;
        for (const auto& [name, value] : kept) settings.push_back({name, value});
        if (auto hook = std::exchange(while_loading, {})) co_await hook();
        co_return settings;
    }
    Task<Done> change(std::vector<Change> changes, Deed deed) override {
        if (meanwhile) co_await meanwhile();
        if (away) throw Outage("away");
        for (const auto& change : changes) {
            kept.erase(change.name);
            if (change.value) kept[change.name] = *change.value;
        }
        deeds.push_back(std::move(deed));
        co_return Done{};
    }
    Task<TicketKey> ticket_key(TicketKey offered) override { co_return offered; }

    std::map<std::string, std::int64_t> kept;
    std::vector<Deed> deeds;
    std::function<Task<>()> meanwhile;
    std::function<Task<>()> while_loading;
    bool away = false;
};

class LimitEditorTest : public testing::Test {
  protected:
    LimitEditor make() {
        return {ledger, configured, [this](const RateLimits& limits) { in_force = limits; }, clock,
                ids};
    }
    static LimitEditor::Wish wish(std::string_view name, std::optional<unsigned> value) {
        return {find_rate_setting(name), value};
    }
    static LimitEditor::Shown shown(const LimitEditor& editor, std::string_view name) {
        for (const auto& row : editor.show())
            if (row.setting->name == name) return row;
        ADD_FAILURE() << name;
        return {};
    }

    ScriptedSettings ledger;
    testing_support::ManualClock clock;
    IdSource ids{1};
    const RateLimits configured = [] {
        RateLimits limits;
        limits.of(RateClass::typing).per_minute = 90;
        return limits;
    }();
    RateLimits in_force;
    LimitEditor editor = make();
    const Actor actor{.id = UserId{1}, .address = "::1", .request_id = "r"};
};

using Source = LimitEditor::Source;

TEST_F(LimitEditorTest, SaysWhereEachComesFrom) {
    run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor));
    EXPECT_EQ(shown(editor, "limits.buying.burst").source, Source::operator_);
    EXPECT_EQ(shown(editor, "limits.buying.burst").value, 5u);
    EXPECT_EQ(shown(editor, "limits.buying.per_minute").source, Source::by_default);
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").source, Source::config);
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 90u);
    EXPECT_EQ(in_force.of(RateClass::buying).burst, 5u);
}

TEST_F(LimitEditorTest, KeepsWhatWasSetAndTakesItBack) {
    run_to_end(editor.change({wish("limits.typing.per_minute", 7)}, actor));
    auto again = make();
    EXPECT_TRUE(run_to_end(again.load()).empty());
    EXPECT_EQ(in_force.of(RateClass::typing).per_minute, 7u);
    run_to_end(again.change({wish("limits.typing.per_minute", std::nullopt)}, actor));
    EXPECT_EQ(in_force.of(RateClass::typing).per_minute, 90u);
    EXPECT_TRUE(ledger.kept.empty());
}

TEST_F(LimitEditorTest, TheDeedSaysBeforeAndAfter) {
    run_to_end(editor.change({wish("limits.sale.per_second", 9)}, actor));
    ASSERT_EQ(ledger.deeds.size(), 1u);
    EXPECT_EQ(ledger.deeds[0].action, "limits.change");
    EXPECT_EQ(ledger.deeds[0].before, R"({"sale.per_second":0})");
    EXPECT_EQ(ledger.deeds[0].after, R"({"sale.per_second":9})");
    run_to_end(editor.change({wish("limits.sale.per_second", 9)}, actor));
    EXPECT_EQ(ledger.deeds.size(), 1u) << "nothing was changed";
}

TEST_F(LimitEditorTest, RefusesWhatDoesNotGoTogether) {
    const auto done = run_to_end(editor.change(
        {wish("limits.guessing.per_minute", 1), wish("limits.guessing.burst", 61)}, actor));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().errors,
              (std::vector<FieldError>{{"guessing.burst", Complaint(Rule::burst_too_large,
                                                                    "guessing.per_minute", 60)}}));
    EXPECT_TRUE(ledger.kept.empty());
    EXPECT_TRUE(ledger.deeds.empty());
}

TEST_F(LimitEditorTest, NothingIsInForceThatIsNotKept) {
    ledger.away = true;
    EXPECT_THROW(run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor)), Outage);
    EXPECT_EQ(shown(editor, "limits.buying.burst").source, Source::by_default);
    ledger.away = false;
    EXPECT_TRUE(run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor)));
}

TEST_F(LimitEditorTest, WhatAnotherNodeHasSetOrTakenBackIsInForceOnceItIsRead) {
    auto elsewhere = make();
    run_to_end(elsewhere.change({wish("limits.typing.per_minute", 7)}, actor));
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 90u);
    run_to_end(editor.load());
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 7u);
    run_to_end(elsewhere.change({wish("limits.typing.per_minute", std::nullopt)}, actor));
    run_to_end(editor.load());
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 90u);
    EXPECT_EQ(in_force.of(RateClass::typing).per_minute, 90u);
}

TEST_F(LimitEditorTest, AReadingThatCrossesAChangeOfOurOwnIsRepeated) {
    ledger.while_loading = [this]() -> Task<> {
        std::vector<LimitEditor::Wish> wishes{wish("limits.typing.per_minute", 7)};
        co_await editor.change(std::move(wishes), actor);
    };
    run_to_end(editor.load());
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 7u);
}

TEST_F(LimitEditorTest, AChangeDoesNotTakeBackWhatWasReadWhileItWasMade) {
    ledger.meanwhile = [this]() -> Task<> {
        ledger.kept["limits.reading.per_minute"] = 1'000;
        co_await editor.load();
    };
    run_to_end(editor.change({wish("limits.typing.per_minute", 7)}, actor));
    EXPECT_EQ(shown(editor, "limits.typing.per_minute").value, 7u);
    EXPECT_EQ(shown(editor, "limits.reading.per_minute").value, 1'000u);
}

TEST_F(LimitEditorTest, OneChangeAtATime) {
    ledger.meanwhile = [this]() -> Task<> {
        std::vector<LimitEditor::Wish> wishes{wish("limits.buying.per_minute", 1)};
        const auto second = co_await editor.change(std::move(wishes), actor);
        EXPECT_EQ(second.error().reason, Reason::conflict);
    };
    EXPECT_TRUE(run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor)));
}

TEST_F(LimitEditorTest, PassesOverWhatMakesNoSenseAnyMore) {
    ledger.kept = {{"limits.buying.burst", 0},
                   {"limits.sleeping.burst", 1},
                   {"limits.typing.burst", 4},
                   {"colour", 1}};
    EXPECT_EQ(run_to_end(editor.load()),
              (std::vector<std::string>{"limits.buying.burst", "limits.sleeping.burst"}));
    EXPECT_EQ(in_force.of(RateClass::typing).burst, 4u);
    EXPECT_EQ(in_force.of(RateClass::buying).burst, RateLimits{}.of(RateClass::buying).burst);
}

TEST_F(LimitEditorTest, PassesOverWhatContradictsTheConfigurationByNow) {
    ledger.kept = {
        {"limits.buying.burst", 61}, {"limits.buying.per_minute", 1}, {"limits.typing.burst", 4}};
    EXPECT_EQ(run_to_end(editor.load()),
              (std::vector<std::string>{"limits.buying.burst", "limits.buying.per_minute"}));
    EXPECT_EQ(in_force.of(RateClass::buying).burst, RateLimits{}.of(RateClass::buying).burst);
    EXPECT_EQ(in_force.of(RateClass::typing).burst, 4u);
}

TEST_F(LimitEditorTest, WhatAnotherNodeHasChangedIsSeenByTheNextChange) {
    run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor));
    ledger.kept["limits.buying.burst"] = 4;
    ASSERT_TRUE(run_to_end(editor.change({wish("limits.buying.burst", 5)}, actor)));
    EXPECT_EQ(ledger.kept["limits.buying.burst"], 5) << "the same as before here, not there";
}

}  // namespace
}  // namespace sluice
