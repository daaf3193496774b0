#include "adapters/sqlite/upkeep/audit.hpp"

#include <cstdio>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/mariadb/audit.hpp"
#include "adapters/system/shop_clock.hpp"
#include "main/commands.hpp"
#include "main/description.hpp"
#include "main/mariadb_address.hpp"
#include "main/store.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

constexpr int kHolds = 0;
constexpr int kViolated = 1;
constexpr int kCannotTell = 2;

void print_json(const AuditReport& report) {
    boost::json::array checks;
    for (const auto& check : report.checks)
        checks.push_back(boost::json::object{
            {"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
    const boost::json::object answer{{"holds", report.holds()}, {"checks", std::move(checks)}};
    std::printf("%s\n", boost::json::serialize(answer).c_str());
}

void print_text(const AuditReport& report) {
    for (const auto& check : report.checks)
        std::printf("%-8s  %-11s  %s\n", check.holds ? "holds" : "VIOLATED", check.name.c_str(),
                    check.detail.c_str());
    std::printf("%s\n", report.holds() ? "Every promise holds." : "A promise is broken.");
}

Outcome<AuditReport> audit_ledger(const Config& config, std::optional<SaleId> sale) {
    const ShopClock clock({.note = config.data / "shop.clock"});
    if (config.ledger.kind == LedgerKind::sqlite) finish_restore(config.data);
    expect_ledger(config);
    if (config.ledger.kind == LedgerKind::mariadb)
        return mariadb::audit(mariadb_address(config), sale, clock.now());
    return sqlite::audit(config.data / "sluice.db", sale, clock.now());
}

}  // namespace

int audit_command(const Config& config, std::optional<SaleId> sale, bool json) {
    try {
        const auto report = audit_ledger(config, sale);
        if (!report) throw std::runtime_error("there is no such sale");
        json ? print_json(*report) : print_text(*report);
        finish_output();
        return report->holds() ? kHolds : kViolated;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sluice: %s\n", error.what());
        return kCannotTell;
    }
}

}  // namespace sluice
