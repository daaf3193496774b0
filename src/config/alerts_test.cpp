#include <gtest/gtest.h>

#include "config/load.hpp"

namespace sluice {
namespace {

std::string error_of(const Sources& sources) {
    try {
        load_config(sources);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "loaded";
}

TEST(AlertChannels, AreJudgedByWhereTheyLead) {
    const auto error = [](const Sources::Pairs& environment) {
        return error_of({.environment = environment});
    };
    EXPECT_EQ(error({{"SLUICE_ALERTS_WECOM_URL", "https://qyapi.weixin.qq.com/send?key=1"},
                     {"SLUICE_ALERTS_SLACK_URL", "https://hooks.slack.com/services/T/B/x"},
                     {"SLUICE_ALERTS_DINGTALK_URL", "https://oapi.dingtalk.com/send?t=1"},
                     {"SLUICE_ALERTS_DINGTALK_SECRET", "SEC1"},
                     {"SLUICE_ALERTS_WEBHOOK_URL", "https://shop.example/alerts"},
                     {"SLUICE_ALERTS_WEBHOOK_SECRET", "sixteen-characters"}}),
              "loaded");
    for (const char* url : {"robot", "http://qyapi.weixin.qq.com/send?key=hush",
                            "http://10.0.0.1/send?key=hush", "https://user:hush@robot.example/"}) {
        const auto said = error({{"SLUICE_ALERTS_WECOM_URL", url}});
        EXPECT_NE(said, "loaded") << url;
        EXPECT_EQ(said.find("hush"), said.npos) << said;
    }
    const Sources::Pairs inside{{"SLUICE_ALERTS_WECOM_URL", "http://127.0.0.1:9/send?key=hush"}};
    EXPECT_EQ(error(inside),
              "environment SLUICE_ALERTS_WECOM_URL: alerts.wecom_url leads to an address that is "
              "not public, and that webhooks.allow_private does not have "
              "(webhooks.allow_private by default)");
    auto allowed = inside;
    allowed.emplace_back("SLUICE_WEBHOOKS_ALLOW_PRIVATE", "127.0.0.0/8");
    EXPECT_EQ(error(allowed), "loaded");
    EXPECT_NE(error({{"SLUICE_ALERTS_WEBHOOK_URL", "https://shop.example/alerts"}}), "loaded");
    EXPECT_NE(error({{"SLUICE_ALERTS_DINGTALK_SECRET", "SEC1"}}), "loaded");
    EXPECT_NE(error_of({.flags = {{"alerts.slack_url", "https://hooks.slack.com/x"}}}), "loaded");
}

}  // namespace
}  // namespace sluice
