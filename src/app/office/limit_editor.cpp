#include "app/office/limit_editor.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {
namespace {

std::size_t place_of(const RateSetting& setting) {
    return static_cast<std::size_t>(&setting - kRateSettings);
}

/// As a request names it.
std::string field_of(std::string_view name) {
    return std::string(name.substr(std::string_view("limits.").size()));
}

std::vector<FieldError> errors_of(const std::vector<RateConflict>& conflicts) {
    std::vector<FieldError> errors;
    for (const auto& conflict : conflicts)
        errors.push_back(
            {field_of(conflict.burst),
             Complaint(Rule::burst_too_large, field_of(conflict.rate), conflict.burst_at_most)});
    return errors;
}

}  // namespace

LimitEditor::LimitEditor(SettingsLedger& ledger, const RateLimits& configured, Apply apply,
                         const Clock& clock, IdSource& ids)
    : ledger_(ledger),
      apply_(std::move(apply)),
      clock_(clock),
      ids_(ids),
      configured_(configured) {}

Task<std::vector<std::string>> LimitEditor::load() {
    for (;;) {
        std::uint64_t before = 0;
        {
            const MutexLock lock(mutex_);
            before = changes_;
        }
        const auto settings = co_await ledger_.load();
        const MutexLock lock(mutex_);
        // Unless a change of our own was made meanwhile: then what was read may be older.
        if (changes_ == before) co_return adopt(settings);
    }
}

std::vector<std::string> LimitEditor::adopt(const std::vector<SettingsLedger::Setting>& settings) {
    std::vector<std::string> passed_over;
    overrides_ = {};
    for (const auto& [name, value] : settings) {
        if (!name.starts_with("limits.")) continue;
        const auto* setting = find_rate_setting(name);
        if (setting && value >= setting->least && value <= setting->most)
            overrides_[place_of(*setting)] = static_cast<unsigned>(value);
        else
            passed_over.push_back(name);
    }
    // The configuration may have changed since the settings were made.
    for (auto& name : drop_contradictions()) passed_over.push_back(std::move(name));
    apply_(in_force(overrides_));
    return passed_over;
}

std::vector<std::string> LimitEditor::reconfigure(const RateLimits& configured) {
    const MutexLock lock(mutex_);
    configured_ = configured;
    auto dropped = drop_contradictions();
    apply_(in_force(overrides_));
    return dropped;
}

std::vector<std::string> LimitEditor::drop_contradictions() {
    std::vector<std::string> dropped;
    for (const auto& conflict : find_rate_conflicts(in_force(overrides_)))
        for (const auto name : {conflict.burst, conflict.rate})
            if (auto& set = overrides_[place_of(*find_rate_setting(name))]; set.has_value()) {
                set.reset();
                dropped.emplace_back(name);
            }
    return dropped;
}

std::vector<LimitEditor::Shown> LimitEditor::show() const {
    const MutexLock lock(mutex_);
    const RateLimits defaults;
    std::vector<Shown> rows;
    for (const auto& setting : kRateSettings) {
        const auto configured = setting.in(configured_);
        const auto& set = overrides_[place_of(setting)];
        const auto without =
            configured == setting.in(defaults) ? Source::by_default : Source::config;
        rows.push_back(
            {&setting, set.value_or(configured), set.has_value() ? Source::operator_ : without});
    }
    return rows;
}

Task<Outcome<Done>> LimitEditor::change(std::vector<Wish> wishes, Actor actor) {
    co_await load();  // another node may have changed them a moment ago
    Plan planned;
    {
        const MutexLock lock(mutex_);
        if (changing_) co_return refuse(Reason::conflict, Detail::changed_meanwhile);
        auto made = plan(wishes);
        if (!made) co_return std::unexpected(std::move(made.error()));
        planned = std::move(*made);
        if (planned.changes.empty()) co_return Done{};
        changing_ = true;
    }
    std::exception_ptr failure;
    try {
        const auto now = clock_.now();
        auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "limits.change", "limits",
                              std::move(planned.before), std::move(planned.after));
        co_await ledger_.change(std::move(planned.changes), std::move(deed));
    } catch (...) {
        failure = std::current_exception();
    }
    const MutexLock lock(mutex_);
    changing_ = false;
    if (failure) std::rethrow_exception(failure);
    ++changes_;
    // Decided on the present limits: another node may have changed other limits meanwhile.
    for (const auto& wish : wishes) overrides_[place_of(*wish.setting)] = wish.value;
    apply_(in_force(overrides_));
    co_return Done{};
}

Outcome<LimitEditor::Plan> LimitEditor::plan(const std::vector<Wish>& wishes) const {
    Plan plan{overrides_, {}, {}, {}};
    const auto limits_before = in_force(overrides_);
    for (const auto& wish : wishes) plan.overrides[place_of(*wish.setting)] = wish.value;
    const auto limits_after = in_force(plan.overrides);
    if (const auto conflicts = find_rate_conflicts(limits_after); !conflicts.empty())
        return refuse(errors_of(conflicts));

    boost::json::object before, after;
    for (const auto& setting : kRateSettings) {
        const auto& set = plan.overrides[place_of(setting)];
        if (set == overrides_[place_of(setting)]) continue;
        const auto field = field_of(setting.name);
        before[field] = setting.in(limits_before);
        after[field] = setting.in(limits_after);
        plan.changes.push_back({std::string(setting.name), set});
    }
    plan.before = boost::json::serialize(before);
    plan.after = boost::json::serialize(after);
    return plan;
}

RateLimits LimitEditor::in_force(const Overrides& overrides) const {
    RateLimits limits = configured_;
    for (const auto& setting : kRateSettings)
        if (const auto& set = overrides[place_of(setting)]) setting.field(limits) = *set;
    return limits;
}

}  // namespace sluice
