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
#include "main/shared_copies.hpp"
#include "main/store.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

constexpr int kHolds = 0;
constexpr int kViolated = 1;
constexpr int kCannotTell = 2;

/// What was found, and what could not be checked.
struct Findings {
    AuditReport report;
    std::vector<HotCopyVerdict> copies;  // those that do not agree with the ledger
    std::optional<HandOffs> hand_offs;   // if there is a broker
    std::optional<std::string> failure;  // why some of it could not be checked
};

int exit_code(const Findings& findings) {
    if (!findings.report.holds()) return kViolated;
    return findings.failure ? kCannotTell : kHolds;
}

boost::json::object to_json(const HandOffs& hand_offs) {
    boost::json::array lost;
    for (const auto& ticket : hand_offs.lost) lost.push_back(ticket.id.text().c_str());
    return {{"all", hand_offs.all()},         {"decided", hand_offs.decided},
            {"prepared", hand_offs.prepared}, {"parked", hand_offs.parked},
            {"queued", hand_offs.queued},     {"messages", hand_offs.messages},
            {"lost", std::move(lost)}};
}

void print_json(const Findings& findings, bool has_copies) {
    boost::json::array checks;
    for (const auto& check : findings.report.checks)
        checks.push_back(boost::json::object{
            {"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
    boost::json::object answer{{"holds", exit_code(findings) == kHolds},
                               {"checks", std::move(checks)}};
    if (has_copies) {
        boost::json::array copies;
        for (const auto& copy : findings.copies)
            copies.push_back(boost::json::object{{"sale", copy.sale.text()},
                                                 {"state", name_of(copy.state)},
                                                 {"detail", copy.detail},
                                                 {"heals_by_itself", copy.heals_by_itself()}});
        answer["hot_copies"] = std::move(copies);
    }
    if (findings.hand_offs) answer["hand_offs"] = to_json(*findings.hand_offs);
    if (findings.failure) answer["hot_copies_failure"] = *findings.failure;
    std::printf("%s\n", boost::json::serialize(answer).c_str());
}

void print_text(const Findings& findings) {
    for (const auto& check : findings.report.checks)
        std::printf("%-8s  %-11s  %s\n", check.holds ? "holds" : "VIOLATED", check.name.c_str(),
                    check.detail.c_str());
    for (const auto& copy : findings.copies)
        std::printf("%-8s  sale %s: %s\n", copy.heals_by_itself() ? "  heals" : "  DRIFT",
                    copy.sale.text().c_str(), copy.detail.c_str());
    if (findings.hand_offs)
        for (const auto& ticket : findings.hand_offs->lost)
            std::printf("  LOST    ticket %s of buyer %s\n", ticket.id.text().c_str(),
                        ticket.buyer.text().c_str());
    if (findings.failure)
        std::printf("unknown   hot copy     could not be compared: %s\n",
                    findings.failure->c_str());
    if (!findings.report.holds()) return void(std::printf("A promise is broken.\n"));
    std::printf("%s\n",
                findings.failure
                    ? "Every promise of the ledger holds. Of the hot copies and of what is queued "
                      "nobody can tell all."
                    : "Every promise holds.");
}

Outcome<AuditReport> audit_ledger(const Config& config, std::optional<SaleId> sale, Timestamp now) {
    if (config.ledger.kind == LedgerKind::sqlite) finish_restore(config.data);
    expect_ledger(config);
    if (config.ledger.kind == LedgerKind::mariadb)
        return mariadb::audit(mariadb_address(config), sale, now);
    return sqlite::audit(config.data / "sluice.db", sale, now);
}

std::string count_of(std::size_t sales, const char* what) {
    return std::to_string(sales) + (sales == 1 ? " sale " : " sales ") + what;
}

AuditReport::Check check_copies(const std::vector<HotCopyVerdict>& verdicts) {
    const auto healing = std::ranges::count_if(verdicts, [](const HotCopyVerdict& each) {
        return each.state != HotCopyVerdict::State::agrees && each.heals_by_itself();
    });
    const auto drifted = std::ranges::count_if(
        verdicts, [](const HotCopyVerdict& each) { return !each.heals_by_itself(); });
    AuditReport::Check check{.name = "hot copy",
                             .holds = drifted == 0,
                             .detail = count_of(verdicts.size(), "compared with Redis")};
    if (healing > 0)
        check.detail +=
            "; " + count_of(static_cast<std::size_t>(healing), "will agree without anybody's help");
    if (drifted > 0)
        check.detail += "; " + count_of(static_cast<std::size_t>(drifted),
                                        "differ for no reason; see sluice audit --repair");
    return check;
}

AuditReport::Check check_hand_offs(const HandOffs& found) {
    AuditReport::Check check{.name = "hand-offs", .holds = found.lost.empty(), .detail = ""};
    const auto count = [&](std::int64_t tickets, const char* what) {
        check.detail += (check.detail.empty() ? "" : ", ") + std::to_string(tickets) + what;
    };
    count(found.all(), " tickets were handed off and have open claims");
    count(found.decided, " decided");
    count(found.prepared, " prepared");
    count(found.parked, " parked");
    count(found.queued, " queued");
    count(found.messages, " messages in the broker");
    if (!found.lost.empty())
        count(static_cast<std::int64_t>(found.lost.size()),
              " that the broker has lost; see sluice audit --repair");
    return check;
}

void look_at_hand_offs(Findings& findings, SharedCopies& copies, std::optional<SaleId> sale) {
    findings.hand_offs = copies.look_at_hand_offs(sale);
    findings.report.checks.push_back(check_hand_offs(*findings.hand_offs));
    if (findings.hand_offs->failure && findings.hand_offs->queued > 0)
        findings.failure = findings.hand_offs->failure;
}

void look_at_copies(Findings& findings, SharedCopies& copies, std::optional<SaleId> sale) {
    const auto verdicts = copies.look(sale);
    findings.report.checks.push_back(check_copies(verdicts));
    findings.copies.clear();
    for (const auto& verdict : verdicts)
        if (verdict.state != HotCopyVerdict::State::agrees) findings.copies.push_back(verdict);
    look_at_hand_offs(findings, copies, sale);
}

/// Whether anything was changed.
bool repair_hand_offs(const HandOffs& found, SharedCopies& copies, bool yes) {
    if (found.lost.empty()) return false;
    const auto count = found.lost.size();
    if (!yes) {
        std::printf("would note %zu lost tickets as prepared, for a writer to decide\n", count);
        return false;
    }
    const auto failed = copies.prepare(found.lost);
    std::printf("noted %zu lost tickets as prepared, for a writer to decide\n",
                count - failed.size());
    for (const auto& ticket : failed)
        std::printf("ticket %s cannot be noted: its rows do not fit together\n",
                    ticket.id.text().c_str());
    return true;
}

/// Prints what has to be done or, with `yes`, does it and compares again.
void repair(Findings& findings, SharedCopies& copies, const AuditCommand& command) {
    bool is_changed = false;
    for (const auto& copy : findings.copies) {
        if (copy.heals_by_itself()) continue;
        const auto sale = copy.sale.text();
        if (!command.yes) {
            std::printf("would fill the hot copy of sale %s anew, under a new epoch\n",
                        sale.c_str());
            continue;
        }
        is_changed = true;
        std::printf(copies.repair(copy)
                        ? "filled the hot copy of sale %s anew, under a new epoch\n"
                        : "sale %s: another process fills the hot copy at the moment\n",
                    sale.c_str());
    }
    if (repair_hand_offs(*findings.hand_offs, copies, command.yes)) is_changed = true;
    if (is_changed) {
        findings.report.checks.resize(findings.report.checks.size() - 2);
        look_at_copies(findings, copies, command.sale);
        return print_text(findings);
    }
    const bool is_clean = std::ranges::all_of(findings.copies, &HotCopyVerdict::heals_by_itself) &&
                          findings.hand_offs->lost.empty();
    std::printf(is_clean ? "There is nothing to repair.\n"
                         : "Nothing was changed. Add --yes to do it.\n");
}

void audit_copies(Findings& findings, const Config& config, const AuditCommand& command,
                  const Clock& clock) {
    try {
        SharedCopies copies(config, clock);
        look_at_copies(findings, copies, command.sale);
        command.json ? print_json(findings, true) : print_text(findings);
        if (command.repair) repair(findings, copies, command);
    } catch (const std::exception& error) {
        findings.failure = error.what();
        command.json ? print_json(findings, true) : print_text(findings);
    }
}

}  // namespace

int audit_command(const Config& config, const AuditCommand& command) {
    try {
        const bool is_shared = config.hot.kind == HotKind::redis;
        if (command.repair && !is_shared)
            throw std::runtime_error(
                "with hot.kind = \"memory\" the hot copies are in the memory of the server, which "
                "repairs them by itself");
        const ShopClock clock({.note = config.data / "shop.clock"});
        auto report = audit_ledger(config, command.sale, clock.now());
        if (!report) throw std::runtime_error("there is no such sale");
        Findings findings{
            .report = std::move(*report), .copies = {}, .hand_offs = {}, .failure = {}};
        if (is_shared)
            audit_copies(findings, config, command, clock);
        else
            command.json ? print_json(findings, false) : print_text(findings);
        finish_output();
        return exit_code(findings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sluice: %s\n", error.what());
        return kCannotTell;
    }
}

}  // namespace sluice
