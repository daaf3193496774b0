#include "adapters/redis/redis_stock_gate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <sodium.h>

#include "adapters/redis/bad_reply.hpp"
#include "adapters/redis/ticket_record.hpp"
#include "base/encoding.hpp"
#include "base/outage.hpp"

namespace sluice::redis {
namespace {

using Verdict = StockGate::Verdict;

// So that a script takes a few milliseconds at most.
constexpr std::size_t kMostMarks = 500;
constexpr std::size_t kMostRows = 500;
constexpr std::size_t kMostHoldings = 1'000;
constexpr std::size_t kClaimsInPage = 500;
constexpr int kTries = 3;
constexpr std::size_t kMostOpen = 20'000;  // claims that are read in one step

Verdict read_verdict(std::string_view text) {
    static const std::map<std::string_view, Verdict> verdicts{
        {"won", Verdict::won},           {"again", Verdict::again},
        {"done", Verdict::done},         {"already", Verdict::already},
        {"sold_out", Verdict::sold_out}, {"moved", Verdict::moved},
        {"closed", Verdict::closed},     {"ended", Verdict::ended},
        {"paused", Verdict::paused},     {"not_started", Verdict::not_started}};
    const auto found = verdicts.find(text);
    if (found == verdicts.end()) throw BadReply("Redis gave an unknown verdict");
    return found->second;
}

/// Different for each process.
std::string draw_name() {
    std::array<unsigned char, 16> bytes;
    randombytes_buf(bytes.data(), bytes.size());
    return to_hex(bytes);
}

/// Equal numbers mean an unchanged copy: within an epoch it grows with every entry of the log and,
/// between two entries, with every claim that is settled.
std::uint64_t changes_of(const Head& head) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
    return static_cast<std::uint64_t>(head.at.epoch) * kSpread +
           (static_cast<std::uint64_t>(head.at.place) << 24) -
           static_cast<std::uint64_t>(head.open);
}

StockGate::OpenCopy to_copy(SaleId sale, const Head& head) {
    return {.filling = {sale, head.at.epoch, head.ledger},
            .applied = head.applied,
            .claims = head.open,
            .terms_version = head.terms_version};
}

}  // namespace

RedisStockGate::RedisStockGate(Client& client, Client& following, StockSignals* signals)
    : client_(client),
      name_(draw_name()),
      keys_(client.options().prefix),
      views_(signals, client.options().freshness),
      reader_(client, keys_),
      follower_(following, keys_, views_) {}

Call RedisStockGate::call_of(std::string_view name, SaleId sale,
                             std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), keys_.epoch(sale));
    return {.script = &script(name), .words = std::move(arguments)};
}

Task<Reply> RedisStockGate::run(std::string_view name, SaleId sale,
                                std::vector<std::string> arguments) {
    auto call = call_of(name, sale, std::move(arguments));
    auto reply = co_await client_.call(std::move(call));
    co_return reply;
}

Task<StockGate::Claimed> RedisStockGate::claim(Ticket ticket, std::int64_t limit) {
    std::vector<std::string> arguments{
        std::to_string(ticket.epoch),    to_text(ticket.id.mark), ticket.buyer.text(),
        std::to_string(ticket.quantity), std::to_string(limit),   to_record(ticket)};
    try {
        const auto reply = co_await run("claim", ticket.id.sale, std::move(arguments));
        co_return read_claim(reply, ticket);
    } catch (const Outage&) {
        // The claim may have been made. The same ticket asks again, and is the same claim.
    }
    co_return Claimed{};
}

StockGate::Claimed RedisStockGate::read_claim(const Reply& reply, const Ticket& ticket) {
    const auto sale = ticket.id.sale;
    Claimed claimed{.verdict = read_verdict(reply[0].text()), .units = 0, .latest = {}};
    if (claimed.verdict == Verdict::sold_out)
        if (const auto view = views_.find(sale)) view->signal_sold_out_again();
    if (reply.size() < 4) return claimed;
    claimed.units = reply[1].number();
    if (claimed.verdict == Verdict::already && !reply[4].text().empty())
        claimed.latest = TicketId{sale, to_mark(reply[4].text())};
    // Before the buyer is answered: whoever is told of a ticket here must find it here.
    const LogEntry entry{.at = {.epoch = ticket.epoch, .place = reply[3].number()},
                         .buyer = ticket.buyer,
                         .units = claimed.units,
                         .left = reply[2].number()};
    const auto view = views_.of(sale);
    if (claimed.verdict != Verdict::won) {
        view->note(entry);
        return claimed;
    }
    view->note_claim();
    view->hear(entry);
    return claimed;
}

Task<Done> RedisStockGate::set_terms(SaleId sale, Terms terms) {
    std::vector<std::string> arguments{
        std::to_string(terms.version), std::to_string(to_millis(terms.starts_at)),
        terms.ends_at ? std::to_string(to_millis(*terms.ends_at)) : "-",
        terms.is_paused ? "1" : "0", std::to_string(terms.limit)};
    co_await run("set_terms", sale, std::move(arguments));
    co_return Done{};
}

Task<bool> RedisStockGate::may_fill(SaleId sale) {
    std::vector<std::string> arguments{name_};
    const auto reply = co_await run("may_fill", sale, std::move(arguments));
    co_return reply.view().number() == 1;
}

Task<bool> RedisStockGate::is_open(TicketId ticket, UserId buyer) {
    std::vector<std::string> arguments{to_text(ticket.mark)};
    const auto reply = co_await run("find_open", ticket.sale, std::move(arguments));
    if (is_closed(reply, ticket.sale, buyer)) co_return false;
    co_return reply.size() > 0 && read_buyer(reply[0].text()) == buyer;
}

Task<std::optional<TicketId>> RedisStockGate::latest_open(SaleId sale, UserId buyer) {
    std::vector<std::string> arguments{buyer.text()};
    const auto reply = co_await run("latest_open", sale, std::move(arguments));
    if (reply.size() == 0 || is_closed(reply, sale, buyer)) co_return std::nullopt;
    co_return TicketId{sale, to_mark(reply[0].text())};
}

/// Whether there is no copy, so that no claim is open in it. Throws Outage when this process knows
/// of a copy all the same: that one was lost this instant, and its claims with it.
bool RedisStockGate::is_closed(const Reply& reply, SaleId sale, UserId buyer) const {
    if (reply.size() == 0 || reply[0].text() != "closed") return false;
    if (glance(sale, buyer).warm) throw Outage("the hot copy of the sale is gone");
    return true;
}

std::vector<RedisStockGate::Batch> RedisStockGate::in_batches(
    const std::vector<ClaimName>& claims) {
    std::map<std::pair<SaleId, std::int64_t>, std::size_t> last;  // the batch that still has room
    std::vector<Batch> batches;
    for (const auto& [ticket, epoch] : claims) {
        const auto at = last.find({ticket.sale, epoch});
        if (at == last.end() || batches[at->second].marks.size() == kMostMarks) {
            last[{ticket.sale, epoch}] = batches.size();
            batches.push_back({ticket.sale, epoch, {}});
        }
        batches[last[{ticket.sale, epoch}]].marks.push_back(ticket.mark);
    }
    return batches;
}

Task<std::vector<Reply>> RedisStockGate::run_batches(std::string_view name,
                                                     const std::vector<Batch>& batches) {
    std::vector<Call> calls;
    for (const auto& batch : batches) {
        std::vector<std::string> arguments{std::to_string(batch.epoch)};
        for (const auto& mark : batch.marks) arguments.push_back(to_text(mark));
        calls.push_back(call_of(name, batch.sale, std::move(arguments)));
    }
    auto replies = co_await client_.call_all(std::move(calls));
    co_return replies;
}

/// The arguments of a script for these claims.
Task<std::vector<TicketId>> RedisStockGate::list_batches(std::string_view name,
                                                         std::vector<ClaimName> claims) {
    const auto batches = in_batches(claims);
    const auto replies = co_await run_batches(name, batches);
    std::vector<TicketId> tickets;
    for (std::size_t i = 0; i < batches.size(); ++i)
        for (std::size_t k = 0; k < replies[i].size(); ++k)
            tickets.push_back({batches[i].sale, to_mark(replies[i][k].text())});
    co_return tickets;
}

Task<std::vector<TicketId>> RedisStockGate::hand_off(std::vector<ClaimName> claims) {
    return list_batches("hand_off", std::move(claims));
}

Task<std::vector<TicketId>> RedisStockGate::settle(std::vector<ClaimName> claims) {
    return list_batches("settle", std::move(claims));
}

Task<Done> RedisStockGate::release(std::vector<ClaimName> claims) {
    const auto batches = in_batches(claims);
    const auto replies = co_await run_batches("release", batches);
    for (std::size_t i = 0; i < batches.size(); ++i)
        hear(batches[i].sale, batches[i].epoch, replies[i].view(), 0);
    co_return Done{};
}

void RedisStockGate::hear(SaleId sale, std::int64_t epoch, ReplyView told, std::size_t from) {
    const auto view = views_.of(sale);
    for (auto i = from; i + 3 < told.size(); i += 4)
        view->hear({.at = {.epoch = epoch, .place = told[i + 3].number()},
                    .buyer = read_buyer(told[i].text()),
                    .units = told[i + 1].number(),
                    .left = told[i + 2].number()});
}

Task<std::vector<Ticket>> RedisStockGate::condemn(Timestamp claimed_before) {
    return stale('x', claimed_before);
}

Task<std::vector<Ticket>> RedisStockGate::handed_off(Timestamp claimed_before) {
    return stale('h', claimed_before);
}

/// Page by page, for many sales at once. A page may name a claim twice.
Task<std::vector<Ticket>> RedisStockGate::stale(char stage, Timestamp claimed_before) {
    struct Page {
        SaleId sale;
        const char* part;
        std::string cursor;
    };
    const auto sales = co_await reader_.sales();
    std::vector<Page> pages;
    for (const auto sale : sales)
        for (const auto* part : {"open", "former"}) pages.push_back({sale, part, "0"});
    std::vector<Ticket> found;
    std::set<TicketId> known;
    while (!pages.empty()) {
        const auto count = std::min(pages.size(), Client::kMostAtOnce);
        const std::vector<Page> some(pages.end() - static_cast<std::ptrdiff_t>(count), pages.end());
        pages.resize(pages.size() - count);
        std::vector<Call> calls;
        calls.reserve(some.size());
        for (const auto& page : some)
            calls.push_back(
                call_of("stale", page.sale,
                        {std::string(1, stage), std::to_string(to_millis(claimed_before)),
                         page.part, page.cursor, std::to_string(kClaimsInPage)}));
        const auto replies = co_await client_.call_all(std::move(calls));
        for (std::size_t i = 0; i < count; ++i) {
            const auto& reply = replies[i];
            if (reply.size() == 0) continue;
            if (reply[0].text() != "0")
                pages.push_back({some[i].sale, some[i].part, std::string(reply[0].text())});
            for (std::size_t k = 1; k + 1 < reply.size(); k += 2) {
                auto ticket = from_record(some[i].sale, reply[k].text(), reply[k + 1].text());
                if (known.insert(ticket.id).second) found.push_back(std::move(ticket));
            }
        }
    }
    co_return found;
}

Task<std::optional<std::int64_t>> RedisStockGate::apply(SaleId sale, std::int64_t epoch,
                                                        std::vector<HotChange> rows) {
    std::optional<std::int64_t> applied;
    std::size_t at = 0;
    do {
        std::vector<std::string> arguments{std::to_string(epoch)};
        for (const auto end = std::min(at + kMostRows, rows.size()); at < end; ++at) {
            const auto& row = rows[at];
            arguments.push_back(std::to_string(row.seq));
            arguments.push_back(std::to_string(row.delta_left));
            arguments.push_back(row.buyer.value_or(UserId{0}).text());
            arguments.push_back(std::to_string(row.delta_units));
        }
        const auto reply = co_await run("apply", sale, std::move(arguments));
        if (reply.size() == 0) co_return std::nullopt;
        applied = reply[0].number();
        hear(sale, epoch, reply.view(), 1);
    } while (at < rows.size());
    co_return applied;
}

/// The sale is listed first: a copy that is not listed would not be looked after.
Task<bool> RedisStockGate::begin_fill(Filling filling, std::int64_t left, std::int64_t applied) {
    std::vector<Call> calls;
    calls.push_back({.script = nullptr, .words = {"SADD", keys_.sales(), filling.sale.text()}});
    calls.push_back(call_of("begin_fill", filling.sale,
                            {std::to_string(filling.epoch), filling.ledger, std::to_string(left),
                             std::to_string(applied)}));
    const auto replies = co_await client_.call_all(std::move(calls));
    co_return replies[1].view().number() == 1;
}

Task<bool> RedisStockGate::fill(Filling filling, Holdings chunk) {
    std::size_t at = 0;
    do {
        std::vector<std::string> arguments{std::to_string(filling.epoch), filling.ledger};
        for (const auto end = std::min(at + kMostHoldings, chunk.size()); at < end; ++at) {
            arguments.push_back(chunk[at].first.text());
            arguments.push_back(std::to_string(chunk[at].second));
        }
        const auto reply = co_await run("fill", filling.sale, std::move(arguments));
        if (reply.view().number() != 1) co_return false;
    } while (at < chunk.size());
    co_return true;
}

/// The sale is listed once more, since its former copy may have been forgotten meanwhile, which
/// removes it from the list.
Task<bool> RedisStockGate::open_epoch(Filling filling) {
    std::vector<Call> calls;
    calls.push_back(
        call_of("open_epoch", filling.sale, {std::to_string(filling.epoch), filling.ledger}));
    calls.push_back({.script = nullptr, .words = {"SADD", keys_.sales(), filling.sale.text()}});
    const auto replies = co_await client_.call_all(std::move(calls));
    if (replies[0].view().number() != 1) co_return false;
    co_await load(filling.sale);
    co_return true;
}

/// So that a glance on this node is warm at once. If this fails, the follower does it a moment
/// later.
Task<> RedisStockGate::load(SaleId sale) {
    try {
        const auto asked_at = SaleViews::Clock::now();
        const auto copy = co_await reader_.copy(sale);
        if (copy) views_.of(sale)->load(*copy, asked_at);
    } catch (const Outage&) {
        co_return;
    }
}

Task<bool> RedisStockGate::forget(SaleId sale, std::int64_t epoch) {
    std::vector<std::string> arguments{std::to_string(epoch)};
    const auto reply = co_await run("forget", sale, std::move(arguments));
    if (reply.view().number() != 1) co_return false;
    if (const auto view = views_.find(sale)) view->close(epoch);
    Call unlist{.script = nullptr, .words = {"SREM", keys_.sales(), sale.text()}};
    co_await client_.call(std::move(unlist));
    co_return true;
}

Task<std::int64_t> RedisStockGate::opened_epoch(SaleId sale) {
    Call call{.script = nullptr, .words = {"GET", keys_.epoch(sale)}};
    const auto reply = co_await client_.call(std::move(call));
    co_return reply.view().is_nil() ? 0 : reply.view().number();
}

Task<std::optional<StockGate::OpenCopy>> RedisStockGate::open_copy(SaleId sale) {
    const auto head = co_await reader_.head(sale);
    if (!head) co_return std::nullopt;
    co_return to_copy(sale, *head);
}

Task<std::vector<StockGate::OpenCopy>> RedisStockGate::open_copies() {
    const auto sales = co_await reader_.sales();
    const auto heads = co_await reader_.heads(sales);
    std::vector<OpenCopy> copies;
    for (std::size_t i = 0; i < sales.size(); ++i)
        if (heads[i]) copies.push_back(to_copy(sales[i], *heads[i]));
    co_return copies;
}

Task<std::optional<StockGate::Snapshot>> RedisStockGate::snapshot(SaleId sale) {
    for (int tries = 0; tries < kTries; ++tries) {
        auto snapshot = co_await try_snapshot(sale);
        if (snapshot) co_return snapshot;
    }
    co_return std::nullopt;
}

/// nullopt when the copy is closed, or another one was opened meanwhile.
Task<std::optional<StockGate::Snapshot>> RedisStockGate::try_snapshot(SaleId sale) {
    const auto before = co_await reader_.head(sale);
    if (!before) co_return std::nullopt;
    const auto epoch = before->at.epoch;
    std::map<UserId, std::int64_t> units;
    auto note_buyer = [&](std::string_view buyer, std::string_view entry) {
        units[read_buyer(buyer)] = read_units(entry);
    };
    const bool has_buyers =
        co_await reader_.scan(sale, epoch, CopyReader::Part::buyers, note_buyer);
    std::map<std::string, std::int64_t, std::less<>> open;
    auto note_open = [&](std::string_view mark, std::string_view record) {
        open[std::string(mark)] = from_record(sale, mark, record).quantity;
    };
    const bool has_open = co_await reader_.scan(sale, epoch, CopyReader::Part::open, note_open);
    const auto after = co_await reader_.head(sale);
    if (!has_buyers || !has_open || !after || after->at.epoch != epoch) co_return std::nullopt;
    Snapshot snapshot{.epoch = epoch,
                      .left = after->left,
                      .applied = after->applied,
                      .open = 0,
                      .changes = changes_of(*after),
                      .steady = changes_of(*before) == changes_of(*after),
                      .holdings = {}};
    for (const auto& [mark, quantity] : open) snapshot.open += quantity;
    for (const auto& [buyer, held] : units)
        if (held != 0) snapshot.holdings.emplace_back(buyer, held);
    co_return snapshot;
}

Task<StockGate::UnderWay> RedisStockGate::under_way() {
    const auto sales = co_await reader_.sales();
    UnderWay all;
    for (std::size_t at = 0; at < sales.size(); at += Client::kMostAtOnce) {
        std::vector<Call> calls;
        for (auto i = at; i < std::min(at + Client::kMostAtOnce, sales.size()); ++i)
            calls.push_back(call_of("under_way", sales[i], {}));
        const auto replies = co_await client_.call_all(std::move(calls));
        for (const auto& reply : replies) {
            if (reply.size() == 0) continue;
            all.claims += reply[0].number();
            all.decided += reply[1].number();
            if (reply.size() < 3) continue;
            const auto oldest = from_millis(reply[2].number());
            all.oldest_handed_off = std::min(all.oldest_handed_off.value_or(oldest), oldest);
        }
    }
    co_return all;
}

Task<std::optional<OpenClaims>> RedisStockGate::open_claims(SaleId sale) {
    std::vector<std::string> arguments{std::to_string(kMostOpen)};
    const auto reply = co_await run("open_claims", sale, std::move(arguments));
    if (reply.size() == 0) co_return std::nullopt;
    if (reply.size() == 1)
        throw Overload("more than " + std::to_string(kMostOpen) + " claims of sale " + sale.text() +
                       " are open");
    OpenClaims open{.epoch = reply[0].number(),
                    .left = reply[1].number(),
                    .applied = reply[2].number(),
                    .ledger = std::string(reply[3].text()),
                    .claims = {}};
    for (std::size_t i = 4; i + 1 < reply.size(); i += 2)
        open.claims.push_back(from_record(sale, reply[i].text(), reply[i + 1].text()));
    co_return open;
}

}  // namespace sluice::redis
