#include "adapters/sql/ledgers/audit.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/outage.hpp"
#include "domain/ticket.hpp"

namespace sluice::ledgers {
namespace {

constexpr std::chrono::minutes kLongestPrepared{5};
constexpr std::size_t kNamed = 3;
constexpr std::size_t kWaitingAudits = 4;

/// A finding of a promise's query: the name of its rule, and a JSON array of the arguments.
using Finding = std::tuple<std::string, std::string>;

/// A ticket that a query finds, by its sale and the hexadecimal digits of its mark, and what is
/// wrong with it. The ticket comes before the other arguments.
using FoundTicket = std::tuple<SaleId, std::string, std::string, std::string>;

/// Lists what breaks a promise. ?1 is the sale or NULL.
struct Query {
    enum class Finds {
        rows,
        tickets,
        late_tickets,  // ?2 is the time before which a ticket is late
    };

    constexpr Query() = default;
    constexpr Query(std::string_view text) : sql(text) {}
    constexpr Query(std::string_view text, Finds what) : sql(text), finds(what) {}

    std::string_view sql;
    Finds finds = Finds::rows;
};
constexpr auto kTickets = Query::Finds::tickets;
constexpr auto kLateTickets = Query::Finds::late_tickets;

struct Promise {
    std::string_view name;
    NoticeRule text;
    std::array<Query, 3> queries;
};
constexpr std::string_view kOwed = "I5 owed";
constexpr std::string_view kWaiting = "waiting";
constexpr std::string_view kTrail = "audit trail";
constexpr std::string_view kArchive = "archive";
constexpr std::array<Promise, 8> kPromises{{
    {"I1 stock",
     NoticeRule::promise_stock,
     {sql::audit_stock_adds_up, sql::audit_stock_matches_orders, sql::audit_sales_are_there}},
    {"I2 limits", NoticeRule::promise_limits, {sql::audit_limits, {}}},
    {"I3 answers",
     NoticeRule::promise_answers,
     {Query{sql::audit_late, kLateTickets}, Query{sql::audit_parked, kLateTickets}}},
    {"I4 tickets",
     NoticeRule::promise_tickets,
     {Query{sql::audit_tickets_have_orders, kTickets}, sql::audit_orders_have_tickets,
      Query{sql::audit_tickets_are_found, kTickets}}},
    {"I5 captures",
     NoticeRule::promise_captures,
     {sql::audit_payments, sql::audit_captures, sql::audit_capture_count}},
    {"I5 refunds", NoticeRule::promise_refunds, {sql::audit_refunds, sql::audit_payment_states}},
    {"I7 windows",
     NoticeRule::promise_windows,
     {Query{sql::audit_windows, kTickets}, Query{sql::audit_pauses, kTickets}}},
    {"outbox",
     NoticeRule::promise_outbox,
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
std::vector<Notice> some_of(const std::vector<Notice>& findings, std::size_t count) {
    std::vector<Notice> some(
        findings.begin(),
        findings.begin() + static_cast<std::ptrdiff_t>(std::min(findings.size(), kNamed)));
    if (count > kNamed) some.emplace_back(NoticeRule::and_more, count - kNamed);
    return some;
}

std::string text_of(const boost::json::value& argument) {
    return argument.is_string() ? std::string(argument.as_string())
                                : boost::json::serialize(argument);
}

/// `first`: the arguments before those of the query. An argument is null when it comes from a row
/// that does not exist. A query whose rows have several rules gives as many arguments as the
/// longest of them takes.
Notice to_notice(std::string_view name, std::string_view arguments,
                 std::vector<std::string> first = {}) {
    const auto rule = parse_notice_rule(name);
    CHECK(rule, "queries name the rules of the catalogue");
    Notice notice{*rule};
    notice.arguments = std::move(first);
    const auto most = count_arguments(*rule);
    const auto parsed = boost::json::parse(arguments);
    for (const auto& each : parsed.as_array()) {
        if (each.is_null()) return {NoticeRule::row_without_origin};
        if (notice.arguments.size() < most) notice.arguments.push_back(text_of(each));
    }
    return notice;
}

AuditReport::Check passed(std::string_view name, std::vector<Notice> notices) {
    auto detail = text_of(notices);
    return {.name = std::string(name),
            .holds = true,
            .detail = std::move(detail),
            .notices = std::move(notices)};
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

    void add(Notice finding) {
        if (accepted_.contains(text_of(finding)))
            return add_to(known_, known_count_, std::move(finding));
        add_to(broken_, broken_count_, std::move(finding));
    }

    AuditReport::Check report(NoticeRule promise) && {
        const bool holds = broken_count_ == 0;
        auto check = passed(promise_, told(promise));
        check.holds = holds;
        for (const auto& each : broken_) check.findings.push_back(text_of(each));
        return check;
    }

  private:
    static void add_to(std::vector<Notice>& list, std::size_t& count, Notice finding) {
        ++count;
        if (list.size() < kMostFindings) list.push_back(std::move(finding));
    }
    std::vector<Notice> told(NoticeRule promise) const {
        std::vector<Notice> notices{Notice{promise}};
        if (broken_count_ > 0) notices = some_of(broken_, broken_count_);
        if (known_count_ > 0)
            notices.push_back(
                Notice{NoticeRule::accepted_at_restore}.with(some_of(known_, known_count_)));
        return notices;
    }

    std::string_view promise_;
    std::set<std::string> accepted_;
    std::vector<Notice> broken_, known_;
    std::size_t broken_count_ = 0, known_count_ = 0;
};

AuditReport::Check check_trail(Database& database) {
    Findings findings(database, kTrail);
    for (auto& link : broken_links(database)) findings.add(std::move(link));
    return std::move(findings).report(NoticeRule::promise_trail);
}

AuditReport::Check check_archive(const Audited& audited, std::optional<SaleId> sale) {
    Findings findings(audited.ledger, kArchive);
    for (auto& fault : audited.find_archive_faults(sale)) findings.add(std::move(fault));
    return std::move(findings).report(NoticeRule::promise_archive);
}

/// Money that is still on its way back breaks no promise, but it is reported.
AuditReport::Check check_owed(Database& database, std::optional<SaleId> sale) {
    std::vector<Notice> owed;
    using Row = std::tuple<std::int64_t, std::int64_t, std::string, Timestamp, std::string>;
    for (const auto& [count, cents, currency, since, provider] :
         database.rows<Row>(sql::audit_owed, sale))
        owed.emplace_back(NoticeRule::refunds_owed, count, provider, cents, currency,
                          to_rfc3339(since));
    if (owed.empty()) owed.emplace_back(NoticeRule::nothing_owed);
    return passed(kOwed, std::move(owed));
}

/// Nor do tickets that wait for a writer or for an operator.
AuditReport::Check check_waiting(Database& database, std::optional<SaleId> sale) {
    using Row = std::tuple<std::int64_t, std::int64_t, std::optional<Timestamp>>;
    const auto [prepared, parked, since] = database.value<Row>(sql::audit_waiting, sale);
    return passed(kWaiting, {since ? Notice{NoticeRule::tickets_waiting_since, prepared, parked,
                                            to_rfc3339(*since)}
                                   : Notice{NoticeRule::tickets_waiting, prepared, parked}});
}

void add_tickets(sql::Rows<FoundTicket> rows, Findings& findings) {
    for (const auto& [sale, mark, rule, arguments] : rows)
        findings.add(to_notice(rule, arguments, {text_of(sale, mark)}));
}

void look(Database& database, const Query& query, std::optional<SaleId> sale, Timestamp now,
          Findings& findings) {
    switch (query.finds) {
        case Query::Finds::rows:
            for (const auto& [rule, arguments] : database.rows<Finding>(query.sql, sale))
                findings.add(to_notice(rule, arguments));
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
