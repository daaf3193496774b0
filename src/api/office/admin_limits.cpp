#include "api/office/admin_limits.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "base/names.hpp"

namespace sluice::api {
namespace {

using Source = LimitEditor::Source;
constexpr Names<Source::operator_> kSources({{Source::by_default, "default"},
                                             {Source::config, "config"},
                                             {Source::operator_, "operator"}});

/// buying.burst for limits.buying.burst.
std::string_view field_of(const RateSetting& setting) {
    return setting.name.substr(std::string_view("limits.").size());
}

boost::json::object limits_to_json(const std::vector<LimitEditor::Shown>& rows) {
    boost::json::object limits;
    for (const auto& row : rows) {
        boost::json::object number{{"value", row.value}, {"source", kSources.text(row.source)}};
        const auto field = field_of(*row.setting);
        const auto dot = field.find('.');
        if (dot == field.npos) {
            limits[field] = std::move(number);
            continue;
        }
        auto& group = limits[field.substr(0, dot)];
        if (!group.is_object()) group.emplace_object();
        group.as_object()[field.substr(dot + 1)] = std::move(number);
    }
    return limits;
}

}  // namespace

http::Pending AdminLimits::show(http::Exchange& exchange) {
    boost::json::array exempt;
    for (const auto& network : scope_.exempt()) exempt.emplace_back(network.text());
    answer(exchange, 200,
           {{"enabled", scope_.enabled()},
            {"exempt", std::move(exempt)},
            {"limits", limits_to_json(editor_.show())}});
    return std::nullopt;
}

http::Pending AdminLimits::change(http::Exchange& exchange) {
    JsonReader in(exchange);
    std::vector<LimitEditor::Wish> wishes;
    for (const auto& setting : kRateSettings) {
        const auto field = field_of(setting);
        const auto given = in.whole_number_or_null(field);
        if (!given) continue;
        if (*given && (**given < setting.least || **given > setting.most))
            in.complain(field, {Rule::from_to_or_null, setting.least, setting.most});
        else if (*given)
            wishes.push_back({&setting, static_cast<unsigned>(**given)});
        else
            wishes.push_back({&setting, std::nullopt});
    }
    if (!in.finish()) return std::nullopt;
    return carry_out(exchange, std::move(wishes));
}

Task<> AdminLimits::carry_out(http::Exchange& exchange, std::vector<LimitEditor::Wish> wishes) {
    auto actor = actor_of(exchange);
    const auto done = co_await editor_.change(std::move(wishes), std::move(actor));
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    show(exchange);
}

}  // namespace sluice::api
