#include "app/alerts/watched_auditor.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"

namespace sluice {
namespace {

class ScriptedAuditor final : public Auditor {
  public:
    Task<Outcome<AuditReport>> audit(std::optional<SaleId> sale) override {
        if (sale) co_return refuse(Reason::not_found);
        co_return report;
    }

    AuditReport report;
};

TEST(WatchedAuditor, TellsOfEachCheckThatFails) {
    ScriptedAuditor auditor;
    auditor.report.checks = {{.name = "I1 stock", .holds = true, .detail = "it adds up"},
                             {.name = "I4 tickets", .holds = false, .detail = "order 7"},
                             {.name = "outbox", .holds = false, .detail = "event 8"}};
    std::vector<std::string> told;
    WatchedAuditor watched(auditor, [&](const AuditReport::Check& check) {
        told.push_back(check.name + ": " + check.detail);
    });
    const auto report = run_to_end(watched.audit(std::nullopt));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->checks.size(), 3u);
    EXPECT_FALSE(report->holds());
    EXPECT_EQ(told, (std::vector<std::string>{"I4 tickets: order 7", "outbox: event 8"}));
}

TEST(WatchedAuditor, HandsOutARefusal) {
    ScriptedAuditor auditor;
    WatchedAuditor watched(auditor, [](const AuditReport::Check&) { FAIL(); });
    const auto report = run_to_end(watched.audit(SaleId{1}));
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().reason, Reason::not_found);
}

}  // namespace
}  // namespace sluice
