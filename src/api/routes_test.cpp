#include "api/routes.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace sluice::api {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

boost::json::object document() {
    std::ifstream in(SLUICE_SOURCE_DIR "/src/api/openapi.json");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return boost::json::parse(text).as_object();
}

TEST(Routes, AndTheOpenApiDocumentAgree) {
    std::map<std::string, std::string> routes, documented;  // "get /path" to name
    for (const auto& route : kRoutes)
        routes[lower(to_string(route.method)) + " " + std::string(route.path)] = route.name;
    const auto paths = document().at("paths").as_object();
    for (const auto& path : paths)
        for (const auto& operation : path.value().as_object()) {
            if (operation.key() == "parameters" || operation.key() == "head") continue;
            documented[std::string(operation.key()) + " " + std::string(path.key())] =
                operation.value().at("operationId").as_string();
        }
    EXPECT_EQ(routes, documented);
}

std::set<std::string> documented_query(const boost::json::object& all,
                                       const boost::json::value& operation) {
    std::set<std::string> names;
    const auto* parameters = operation.as_object().if_contains("parameters");
    if (!parameters) return names;
    for (const auto& each : parameters->as_array()) {
        const auto* reference = each.as_object().if_contains("$ref");
        const auto& parameter = reference ? boost::json::value(all).at_pointer(
                                                std::string_view(reference->as_string()).substr(1))
                                          : each;
        if (parameter.at("in") == "query") names.emplace(parameter.at("name").as_string());
    }
    return names;
}

TEST(Routes, KnowTheQueryParametersOfTheDocument) {
    const auto all = document();
    for (const auto& route : kRoutes) {
        const auto& operation = all.at("paths").at(route.path).at(lower(to_string(route.method)));
        const auto names = route.query.names();
        EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
                  documented_query(all, operation))
            << route.name;
        EXPECT_EQ(route.query.strict(), operation.at("responses").as_object().contains("422"))
            << route.name;
    }
}

TEST(Routes, OnlyPagesAndTheMachineRoomAreLaxAboutTheirQuery) {
    for (const auto& route : kRoutes)
        EXPECT_EQ(route.query.strict(), route.path.starts_with("/api/v1/") ||
                                            route.path.starts_with("/sandbox/bills/") ||
                                            route.path == "/sandbox/messages")
            << route.name;
}

TEST(Routes, TheDocumentSaysWhoNeedsALogin) {
    const auto paths = document().at("paths").as_object();
    for (const auto& route : kRoutes) {
        const auto& operation = paths.at(route.path).at(lower(to_string(route.method)));
        const auto* security = operation.as_object().if_contains("security");
        const bool login = security && !security->as_array().empty();
        EXPECT_EQ(login, route.access != Access::anyone) << route.name;
        const auto& answers = operation.at("responses").as_object();
        // Logging in sets the cookie, so it must not be done by another site's page either.
        const bool guarded = (login && (!is_safe(route.method) || route.upgrades)) ||
                             route.name == "log_in" || route.name == "receive_payment_event";
        EXPECT_EQ(answers.contains("403"), route.access == Access::operators || guarded)
            << route.name;
    }
}

TEST(Routes, AdminPathsAreForOperatorsAndInTheOffice) {
    for (const auto& route : kRoutes) {
        if (!route.path.starts_with("/api/v1/admin/")) continue;
        EXPECT_EQ(route.access, Access::operators) << route.name;
        EXPECT_EQ(route.surface, Surface::office) << route.name;
    }
}

TEST(Routes, WhatBuysNamesItsSaleFirst) {
    // That is how such a request is counted by its sale.
    for (const auto& route : kRoutes) {
        if (route.rate != RateClass::buying) continue;
        EXPECT_TRUE(route.path.starts_with("/api/v1/sales/{id}/")) << route.name;
        EXPECT_NE(route.access, Access::anyone) << route.name;
    }
}

TEST(Routes, WhatUpgradesKnowsWhoItIs) {
    for (const auto& route : kRoutes) {
        if (!route.upgrades) continue;
        EXPECT_EQ(route.method, Method::get) << route.name;
        EXPECT_NE(route.access, Access::anyone) << route.name;
    }
}

TEST(Routes, OnlyTheMachineRoomIsNeverTurnedAway) {
    for (const auto& route : kRoutes)
        EXPECT_EQ(route.rate == RateClass::probing,
                  !route.path.starts_with("/api/") && route.surface == Surface::office)
            << route.name;
}

}  // namespace
}  // namespace sluice::api
