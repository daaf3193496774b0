#include <gtest/gtest.h>

#include "config/load.hpp"
#include "config/mail_url.hpp"

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

TEST(MailUrl, HasNoUserAndNoPath) {
    const auto plain = MailUrl::parse("smtp://mail.example.com");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->port, 587);
    EXPECT_FALSE(plain->is_tls);
    EXPECT_FALSE(plain->is_local());
    const auto secure = MailUrl::parse("smtps://[::1]/");
    ASSERT_TRUE(secure);
    EXPECT_EQ(secure->port, 465);
    EXPECT_TRUE(secure->is_tls);
    EXPECT_TRUE(secure->is_local());
    EXPECT_EQ(MailUrl::parse("smtp://127.0.0.1:2525")->port, 2525);
    for (const char* text : {"", "mail.example.com", "http://mail.example.com", "smtp://",
                             "smtp://user@mail.example.com", "smtp://mail.example.com/x",
                             "smtp://mail.example.com:0", "smtp://mail example.com"})
        EXPECT_FALSE(MailUrl::parse(text)) << text;
}

TEST(MailAddress, IsPlain) {
    for (const char* text : {"a@b", "ops+sluice@shop.example.com", "x.y-z@10-0-0-1.example"})
        EXPECT_TRUE(is_mail_address(text)) << text;
    const std::string long_name(250, 'a');
    for (const auto& text :
         {std::string(), std::string("a"), std::string("@b"), std::string("a@"),
          std::string("a@b@c"), std::string("a b@c"), std::string("<a@b>"), std::string("a@b>\r\n"),
          std::string("a,b@c"), std::string("a@b:25"), std::string("茶@b"), long_name + "@b.cn"})
        EXPECT_FALSE(is_mail_address(text)) << text;
}

TEST(Mails, NeedAServerAFromAndATo) {
    const auto error = [](Sources::Pairs environment) {
        return error_of({.environment = std::move(environment)});
    };
    const Sources::Pairs whole{{"SLUICE_ALERTS_MAIL_URL", "smtp://mail.example.com"},
                               {"SLUICE_ALERTS_MAIL_FROM", "sluice@shop.example"},
                               {"SLUICE_ALERTS_MAIL_TO", "ops@shop.example, boss@shop.example"}};
    EXPECT_EQ(error(whole), "loaded");
    EXPECT_EQ(load_config({.environment = whole}).config.alerts.mail_to,
              (std::vector<std::string>{"ops@shop.example", "boss@shop.example"}));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto part = whole;
        part.erase(part.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_NE(error(part), "loaded") << whole[i].first;
    }
    auto with_user = whole;
    with_user.emplace_back("SLUICE_ALERTS_MAIL_USER", "sluice");
    EXPECT_NE(error(with_user), "loaded");
    with_user.emplace_back("SLUICE_ALERTS_MAIL_PASSWORD", "hush");
    EXPECT_EQ(error(with_user), "loaded");
    with_user.emplace_back("SLUICE_ALERTS_MAIL_PASSWORD_FILE", "/etc/sluice/mail");
    EXPECT_NE(error(with_user), "loaded");
    auto without_user = whole;
    without_user.emplace_back("SLUICE_ALERTS_MAIL_PASSWORD", "hush");
    EXPECT_NE(error(without_user), "loaded");
    EXPECT_EQ(error({{"SLUICE_ALERTS_MAIL_TO", "nobody"}}),
              "environment SLUICE_ALERTS_MAIL_TO: \"nobody\" is not an address such as "
              "ops@shop.example.com");
}

}  // namespace
}  // namespace sluice
