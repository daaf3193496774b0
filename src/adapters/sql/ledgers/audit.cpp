#include "adapters/sql/ledgers/audit.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/encoding.hpp"
#include "base/outage.hpp"
#include "domain/ticket.hpp"

namespace sluice::ledgers {
namespace {

constexpr std::chrono::minutes kLongestPrepared{5};
constexpr std::size_t kNamed = 3;
constexpr std::size_t kWaitingAudits = 4;

/// A finding of a promise's query. NULL when the name comes from a row that does not exist.
using Finding = std::optional<std::string>;
constexpr const char* kNameless = "a row that refers to something that is not there";

/// A ticket that a query finds, by its sale and the hexadecimal digits of its mark, and what is
/// wrong with it.
using FoundTicket = std::tuple<SaleId, std::string, Finding>;

/// Lists what breaks a promise. ?1 is the sale or NULL.
struct Query {
    enum class Finds {
        texts,
        tickets,
        late_tickets,  // ?2 is the time before which a ticket is late
    };

    constexpr Query() = default;
    constexpr Query(std::string_view text) : sql(text) {}
    constexpr Query(std::string_view text, Finds what) : sql(text), finds(what) {}

    std::string_view sql;
    Finds finds = Finds::texts;
};
constexpr auto kTickets = Query::Finds::tickets;
constexpr auto kLateTickets = Query::Finds::late_tickets;

struct Promise {
    std::string_view name;
    std::string_view text;
    std::array<Query, 3> queries;
};
constexpr std::string_view kOwed = "I5 owed";
constexpr std::string_view kWaiting = "waiting";
constexpr std::string_view kTrail = "audit trail";
constexpr std::string_view kArchive = "archive";
constexpr std::array<Promise, 8> kPromises{{
    {"I1 stock",
     "total = left + held + sold, none negative; held and sold are the units of pending and paid "
     "orders",
     {sql::audit_stock_adds_up, sql::audit_stock_matches_orders, sql::audit_sales_are_there}},
    {"I2 limits",
     "no buyer's live orders exceed the sale's limit, and holdings say what they are",
     {sql::audit_limits, {}}},
    {"I3 answers",
     "no ticket has been prepared for more than five minutes, unless it is parked; none is parked "
     "that is decided",
     {Query{sql::audit_late, kLateTickets}, Query{sql::audit_parked, kLateTickets}}},
    {"I4 tickets",
     "each committed ticket has its one order, each order its ticket, and no other ticket has any; "
     "every ticket is found by its buyer's holdings",
     {Query{sql::audit_tickets_have_orders, kTickets}, sql::audit_orders_have_tickets,
      Query{sql::audit_tickets_are_found, kTickets}}},
    {"I5 captures",
     "one capture of its price paid each order that was paid, at a time on record, and no other; "
     "captures less their refunds are the paid orders",
     {sql::audit_payments, sql::audit_captures, sql::audit_capture_count}},
    {"I5 refunds",
     "whatever money paid no order is owed back, once; a capture goes back only by an operator",
     {sql::audit_refunds, sql::audit_payment_states}},
    {"I7 windows",
     "nothing was claimed outside the sale's window, in a pause or after its end",
     {Query{sql::audit_windows, kTickets}, Query{sql::audit_pauses, kTickets}}},
    {"outbox",
     "each webhook is told all it wants of every order since it was made, in the order's order: "
     "delivered, pending or dead",
     {sql::audit_outbox_has_all, sql::audit_outbox_order, sql::audit_outbox_events}},
}};

/// The ticket as buyers and operators see it. If somebody has shortened a mark, it is shown as far
/// as it goes.
std::string text_of(SaleId sale, std::string_view hex_of_mark) {
    TicketId id{sale, {}};
    const auto mark = from_hex(hex_of_mark).value_or("");
    std::copy_n(mark.begin(), std::min(mark.size(), id.mark.size()), id.mark.begin());
    return id.text();
}

/// Up to three of them, and how many more there are.
std::string some_of(const std::vector<std::string>& findings, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < std::min(findings.size(), kNamed); ++i)
        text += (i ? "; " : "") + findings[i];
    if (count > kNamed) text += "; and " + std::to_string(count - kNamed) + " more";
    return text;
}

/// What operators have accepted of a promise when they restored a backup, in the words of the
/// audit.
std::set<std::string> accepted_of(Database& database, std::string_view promise) {
    std::set<std::string> accepted;
    for (auto& finding : database.rows<std::string>(sql::audit_accepted, promise))
        accepted.insert(std::move(finding));
    return accepted;
}

/// What breaks one promise, without what was accepted.
class Findings {
  public:
    Findings(Database& database, std::string_view promise)
        : promise_(promise), accepted_(accepted_of(database, promise)) {}

    void add(std::string finding) {
        if (accepted_.contains(finding)) return add_to(known_, known_count_, std::move(finding));
        add_to(broken_, broken_count_, std::move(finding));
    }

    /// `text`: the promise.
    AuditReport::Check report(std::string_view text) && {
        AuditReport::Check check{.name = std::string(promise_),
                                 .holds = broken_count_ == 0,
                                 .detail = std::string(text)};
        if (!check.holds) check.detail = some_of(broken_, broken_count_);
        if (known_count_ > 0)
            check.detail += "; accepted at a restore: " + some_of(known_, known_count_);
        check.findings = std::move(broken_);
        return check;
    }

  private:
    static void add_to(std::vector<std::string>& list, std::size_t& count, std::string finding) {
        ++count;
        if (list.size() < kMostFindings) list.push_back(std::move(finding));
    }

    std::string_view promise_;
    std::set<std::string> accepted_;
    std::vector<std::string> broken_, known_;
    std::size_t broken_count_ = 0, known_count_ = 0;
};

AuditReport::Check check_trail(Database& database) {
    Findings findings(database, kTrail);
    for (auto& link : broken_links(database)) findings.add(std::move(link));
    return std::move(findings).report(
        "each deed follows the one before, none changed, removed or put in");
}

AuditReport::Check check_archive(const Audited& audited, std::optional<SaleId> sale) {
    Findings findings(audited.ledger, kArchive);
    for (auto& fault : audited.find_archive_faults(sale)) findings.add(std::move(fault));
    return std::move(findings).report("each archived sale is what was moved, row by row");
}

/// Money that is still on its way back breaks no promise, but it is reported.
AuditReport::Check check_owed(Database& database, std::optional<SaleId> sale) {
    std::string owed;
    using Row = std::tuple<std::int64_t, std::int64_t, std::string, Timestamp, std::string>;
    for (const auto& [count, cents, currency, since, provider] :
         database.rows<Row>(sql::audit_owed, sale))
        owed.append(owed.empty() ? "" : "; ")
            .append(std::to_string(count))
            .append(" not carried out yet by ")
            .append(provider)
            .append(": ")
            .append(std::to_string(cents))
            .append(" ")
            .append(currency)
            .append(" in minor units, the oldest since ")
            .append(to_rfc3339(since));
    return {.name = std::string(kOwed),
            .holds = true,
            .detail = owed.empty() ? "every refund has been carried out" : std::move(owed)};
}

/// Nor do tickets that wait for a writer or for an operator.
AuditReport::Check check_waiting(Database& database, std::optional<SaleId> sale) {
    using Row = std::tuple<std::int64_t, std::int64_t, std::optional<Timestamp>>;
    const auto [prepared, parked, since] = database.value<Row>(sql::audit_waiting, sale);
    auto detail =
        std::to_string(prepared) + " prepared tickets, " + std::to_string(parked) + " parked";
    if (since)
        detail += ", the oldest since " + to_rfc3339(*since) + ": send them again or refuse them";
    return {.name = std::string(kWaiting), .holds = true, .detail = std::move(detail)};
}

void add_tickets(sql::Rows<FoundTicket> rows, Findings& findings) {
    for (const auto& [ticket_sale, mark, wrong] : rows)
        findings.add(wrong ? "ticket " + text_of(ticket_sale, mark) + *wrong : kNameless);
}

void look(Database& database, const Query& query, std::optional<SaleId> sale, Timestamp now,
          Findings& findings) {
    switch (query.finds) {
        case Query::Finds::texts:
            for (auto& finding : database.rows<Finding>(query.sql, sale))
                findings.add(std::move(finding).value_or(kNameless));
            return;
        case Query::Finds::tickets:
            return add_tickets(database.rows<FoundTicket>(query.sql, sale), findings);
        case Query::Finds::late_tickets:
            return add_tickets(database.rows<FoundTicket>(query.sql, sale, now - kLongestPrepared),
                               findings);
    }
}

/// In the ledger and in the archive, each of which is complete by itself.
AuditReport::Check check(const Audited& audited, const Promise& promise, std::optional<SaleId> sale,
                         Timestamp now) {
    Findings findings(audited.ledger, promise.name);
    for (auto* database : {&audited.ledger, audited.archive})
        for (const auto& query : promise.queries)
            if (database && !query.sql.empty()) look(*database, query, sale, now, findings);
    return std::move(findings).report(promise.text);
}

}  // namespace

Outcome<AuditReport> audit(const Audited& audited, std::optional<SaleId> sale, Timestamp now) {
    if (sale && !audited.ledger.has_row(sql::has_sale, *sale)) return refuse(Reason::not_found);
    AuditReport report;
    for (const auto& promise : kPromises)
        report.checks.push_back(check(audited, promise, sale, now));
    report.checks.push_back(check_waiting(audited.ledger, sale));
    report.checks.push_back(check_owed(audited.ledger, sale));
    report.checks.push_back(check_trail(audited.ledger));
    report.checks.push_back(check_archive(audited, sale));
    return report;
}

std::vector<std::string> list_promises() {
    std::vector<std::string> names;
    names.reserve(kPromises.size() + 4);
    for (const auto& promise : kPromises) names.emplace_back(promise.name);
    for (const auto name : {kWaiting, kOwed, kTrail, kArchive}) names.emplace_back(name);
    return names;
}

LedgerAuditor::LedgerAuditor(Audit audit)
    : audit_(std::move(audit)), thread_("auditor", 1, kWaitingAudits) {}

Task<Outcome<AuditReport>> LedgerAuditor::audit(std::optional<SaleId> sale) {
    using Result = Outcome<AuditReport>;
    auto start = [this, sale](Completion<Result> completion) {
        // Shared, because a job that finds no room is destroyed with its captures.
        auto tell = std::make_shared<Completion<Result>>(std::move(completion));
        const bool taken = thread_.submit([this, sale, tell] {
            try {
                (*tell)(nullptr, audit_(sale));
            } catch (...) {
                (*tell)(std::current_exception(), Result{});
            }
        });
        if (!taken)
            (*tell)(std::make_exception_ptr(Overload("other audits are waiting")), Result{});
    };
    return await_completion<Result>(std::move(start));
}

}  // namespace sluice::ledgers
