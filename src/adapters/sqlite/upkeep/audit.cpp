#include "adapters/sqlite/upkeep/audit.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include <sqlite3.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/engine/trail_chain.hpp"
#include "adapters/sqlite/ledgers/archive.hpp"
#include "base/check.hpp"
#include "base/outage.hpp"
#include "domain/ticket.hpp"

namespace sluice::sqlite {
namespace {

constexpr std::chrono::minutes kLongestPrepared{5};
constexpr std::size_t kNamed = 3;
constexpr std::size_t kWaitingAudits = 4;

/// What a query of a promise finds. NULL when a row that should be named names something that is
/// not there.
using Finding = std::optional<std::string>;
constexpr const char* kNameless = "a row that refers to something that is not there";

/// Each query lists who breaks the promise, in one column of text. ?1 is the sale or NULL; with
/// `needs_time`, ?2 is the time before which a prepared ticket is late.
struct Promise {
    std::string_view name;
    std::string_view text;
    std::array<std::string_view, 3> queries;
    bool needs_time = false;
};
constexpr std::string_view kOwed = "I5 owed";
constexpr std::string_view kTrail = "audit trail";
constexpr std::string_view kArchive = "archive";
constexpr std::array<Promise, 8> kPromises{{
    {"I1 stock",
     "total = left + held + sold, none negative; held and sold are the units of pending and paid "
     "orders",
     {sql::audit_stock_adds_up, sql::audit_stock_matches_orders}},
    {"I2 limits",
     "no buyer's live orders exceed the sale's limit, and holdings say what they are",
     {sql::audit_limits, {}}},
    {"I3 answers",
     "no ticket has been prepared for more than five minutes",
     {sql::audit_late, {}},
     true},
    {"I4 tickets",
     "each committed ticket has its one order, each order its ticket, and no other ticket has any; "
     "every ticket is found by its buyer's holdings",
     {sql::audit_tickets_have_orders, sql::audit_orders_have_tickets,
      sql::audit_tickets_are_found}},
    {"I5 captures",
     "one capture of its price paid each order that was paid, at a time on record, and no other; "
     "captures less their refunds are the paid orders",
     {sql::audit_payments, sql::audit_captures, sql::audit_capture_count}},
    {"I5 refunds",
     "whatever money paid no order is owed back, once; a capture goes back only by an operator",
     {sql::audit_refunds, sql::audit_payment_states}},
    {"I7 windows",
     "nothing was claimed outside the sale's window, in a pause or after its end",
     {sql::audit_windows, sql::audit_pauses}},
    {"outbox",
     "each webhook is told all it wants of every order since it was made, in the order's order: "
     "delivered, pending or dead",
     {sql::audit_outbox_has_all, sql::audit_outbox_order, sql::audit_outbox_events}},
}};

/// ticket_text(sale, mark): the ticket as buyers and operators see it.
void add_ticket_text(Database& database) {
    const auto function = [](sqlite3_context* context, int, sqlite3_value** values) {
        TicketId id{SaleId{sqlite3_value_int64(values[0])}, {}};
        const auto* mark = static_cast<const unsigned char*>(sqlite3_value_blob(values[1]));
        const auto size =
            std::min(static_cast<std::size_t>(sqlite3_value_bytes(values[1])), id.mark.size());
        std::copy_n(mark, size, id.mark.begin());
        const auto text = id.text();
        sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    };
    CHECK(sqlite3_create_function(database.handle(), "ticket_text", 2,
                                  SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, function, nullptr,
                                  nullptr) == SQLITE_OK,
          "a function can be added");
}

/// Up to three of them, and how many more there are.
std::string some_of(const std::vector<std::string>& findings, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < std::min(findings.size(), kNamed); ++i)
        text += (i ? "; " : "") + findings[i];
    if (count > kNamed) text += "; and " + std::to_string(count - kNamed) + " more";
    return text;
}

/// What operators have accepted of a promise when they restored a backup, as the audit said it.
std::set<std::string> accepted_of(Database& database, std::string_view promise) {
    std::set<std::string> accepted;
    for (auto& finding : database.rows<std::string>(sql::audit_accepted, promise))
        accepted.insert(std::move(finding));
    return accepted;
}

/// Who breaks one promise, apart from what was accepted.
class Findings {
  public:
    Findings(Database& database, std::string_view promise)
        : promise_(promise), accepted_(accepted_of(database, promise)) {}

    void add(std::string finding) {
        if (accepted_.contains(finding)) return add_to(known_, known_count_, std::move(finding));
        add_to(broken_, broken_count_, std::move(finding));
    }

    /// `text` is what is promised.
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

AuditReport::Check check_archive(Database& database, std::optional<SaleId> sale) {
    Findings findings(database, kArchive);
    for (auto& fault : find_archive_faults(database, database.archive(), sale))
        findings.add(std::move(fault));
    return std::move(findings).report("each archived sale is what was moved, row by row");
}

/// No promise is broken by money that is still on its way back, but whoever asks should hear of it.
AuditReport::Check tell_of_owed(Database& database, std::optional<SaleId> sale) {
    std::string owed;
    using Row = std::tuple<std::int64_t, std::int64_t, std::string, Timestamp, std::string>;
    for (const auto& [count, cents, currency, since, provider] :
         database.rows<Row>(sql::audit_owed, sale))
        owed += (owed.empty() ? "" : "; ") + std::to_string(count) + " not carried out yet by " +
                provider + ": " + std::to_string(cents) + " " + currency +
                " in minor units, the oldest since " + to_rfc3339(since);
    return {.name = std::string(kOwed),
            .holds = true,
            .detail = owed.empty() ? "every refund has been carried out" : std::move(owed)};
}

/// Rows cannot tell that later ones are missing. The server that found it out has left a note.
void add_known_loss(const std::filesystem::path& database, AuditReport& report) {
    std::ifstream in(loss_file_of(database));
    if (!in) return;
    report.checks.push_back({.name = "ledger kept",
                             .holds = false,
                             .detail = {std::istreambuf_iterator<char>(in), {}}});
}

/// In the ledger and in the archive, each of which is a whole of its own.
AuditReport::Check check(Database& ledger, const Promise& promise, std::optional<SaleId> sale,
                         Timestamp now) {
    Findings findings(ledger, promise.name);
    const auto look = [&](Database& database) {
        for (const auto query : promise.queries) {
            if (query.empty()) continue;
            auto rows = promise.needs_time
                            ? database.rows<Finding>(query, sale, now - kLongestPrepared)
                            : database.rows<Finding>(query, sale);
            for (auto& finding : rows) findings.add(std::move(finding).value_or(kNameless));
        }
    };
    look(ledger);
    if (ledger.archive()) look(*ledger.archive());
    return std::move(findings).report(promise.text);
}

/// Room to sort a million rows without a file.
void make_room(Database& database) {
    database.run_script("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY");
    add_ticket_text(database);
}

}  // namespace

Outcome<AuditReport> audit(Database& database, std::optional<SaleId> sale, Timestamp now) {
    make_room(database);
    if (auto* archive = archive_beside(database)) make_room(*archive);
    database.run("BEGIN");
    AuditReport report;
    try {
        if (sale && !database.has_row(sql::has_sale, *sale)) {
            database.run("ROLLBACK");
            return refuse(Reason::not_found);
        }
        for (const auto& promise : kPromises)
            report.checks.push_back(check(database, promise, sale, now));
        report.checks.push_back(tell_of_owed(database, sale));
        report.checks.push_back(check_trail(database));
        report.checks.push_back(check_archive(database, sale));
    } catch (...) {
        if (database.in_transaction()) database.run("ROLLBACK");
        throw;
    }
    database.run("ROLLBACK");
    return report;
}

std::vector<std::string> list_promises() {
    std::vector<std::string> names;
    names.reserve(kPromises.size() + 3);
    for (const auto& promise : kPromises) names.emplace_back(promise.name);
    for (const auto name : {kOwed, kTrail, kArchive}) names.emplace_back(name);
    return names;
}

std::filesystem::path mark_file_of(const std::filesystem::path& database) {
    return database.parent_path() / "ledger.mark";
}

std::filesystem::path loss_file_of(const std::filesystem::path& database) {
    return database.parent_path() / "ledger.loss";
}

Outcome<AuditReport> audit(const std::filesystem::path& file, std::optional<SaleId> sale,
                           Timestamp now) {
    try {
        auto database = Database::open_reader(file);
        verify_schema(database);
        auto report = audit(database, sale, now);
        if (report) add_known_loss(file, *report);
        return report;
    } catch (const SchemaError& error) {
        throw SchemaError(file.string() + ": " + error.what());
    } catch (const Error& error) {
        throw Outage(file.string() + ": " + error.what());
    }
}

LedgerAuditor::LedgerAuditor(std::filesystem::path file, const Clock& clock)
    : file_(std::move(file)), clock_(clock), thread_("auditor", 1, kWaitingAudits) {}

Task<Outcome<AuditReport>> LedgerAuditor::audit(std::optional<SaleId> sale) {
    using Result = Outcome<AuditReport>;
    auto start = [this, sale](Completion<Result> completion) {
        // Shared, because a job that finds no room is gone with all it held.
        auto tell = std::make_shared<Completion<Result>>(std::move(completion));
        const bool taken = thread_.submit([this, sale, tell] {
            try {
                (*tell)(nullptr, sqlite::audit(file_, sale, clock_.now()));
            } catch (...) {
                (*tell)(std::current_exception(), Result{});
            }
        });
        if (!taken)
            (*tell)(std::make_exception_ptr(Overload("other audits are waiting")), Result{});
    };
    return await_completion<Result>(std::move(start));
}

}  // namespace sluice::sqlite
