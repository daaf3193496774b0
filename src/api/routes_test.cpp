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
        // Logging in sets the cookie, so a page of another site must not be able to do it either.
        const bool guarded = (login && (!is_safe(route.method) || route.upgrades)) ||
                             route.name == "log_in" || route.name == "receive_payment_event";
        EXPECT_EQ(answers.contains("403"), http::is_for_staff(route.access) || guarded)
            << route.name;
    }
}

TEST(Routes, AdminPathsAreForStaffAndInTheOffice) {
    for (const auto& route : kRoutes) {
        EXPECT_EQ(http::is_for_staff(route.access), route.path.starts_with("/api/v1/admin/"))
            << route.name;
        if (http::is_for_staff(route.access)) {
            EXPECT_EQ(route.surface, Surface::office) << route.name;
        }
    }
}

TEST(Routes, SupportMayCallTheseAndNoOthersOfTheOffice) {
    std::set<std::string_view> names;
    for (const auto& route : kRoutes)
        if (http::is_for_staff(route.access) && http::admits(route.access, Role::support))
            names.insert(route.name);
    EXPECT_EQ(names, (std::set<std::string_view>{"list_any_orders", "show_any_order",
                                                 "refund_order", "change_delivery"}));
}

TEST(Routes, TheDocumentSaysWhatSupportMayCall) {
    const auto paths = document().at("paths").as_object();
    for (const auto& route : kRoutes) {
        const auto& operation = paths.at(route.path).at(lower(to_string(route.method))).as_object();
        const auto* description = operation.if_contains("description");
        const bool says =
            description &&
            std::string_view(description->as_string()).contains("Also for the role support.");
        EXPECT_EQ(says, route.access == Access::staff) << route.name;
    }
}

TEST(Routes, RolesAreAdmittedByTheRowsAccess) {
    using enum Access;
    const struct {
        Access access;
        bool buyer, support, operator_, admin;
    } rows[] = {{anyone, true, true, true, true},
                {user, true, true, true, true},
                {buyers, true, true, true, true},
                {staff, false, true, true, true},
                {operators, false, false, true, true}};
    for (const auto& row : rows) {
        const auto number = static_cast<int>(row.access);
        EXPECT_EQ(http::admits(row.access, Role::buyer), row.buyer) << number;
        EXPECT_EQ(http::admits(row.access, Role::support), row.support) << number;
        EXPECT_EQ(http::admits(row.access, Role::operator_), row.operator_) << number;
        EXPECT_EQ(http::admits(row.access, Role::admin), row.admin) << number;
    }
}

TEST(Routes, WhatBuysNamesItsSaleFirst) {
    // That is how such a request is counted for its sale.
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
