#include "adapters/sql/ledgers/ticket_writer.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "domain/ticket_rules.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using sql::News;

constexpr UserId kBuyer{7};
constexpr SaleId kSale{1};

/// One buyer who buys and cancels, in one transaction.
class TicketWriterTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    Database database = [this] {
        migrate(folder / "ledger.db");
        return Database::open_writer(folder / "ledger.db");
    }();
    IdSource ids{1};
    News news;
    Timestamp now = from_millis(1'000'000);
    std::int64_t tickets = 0;

    void SetUp() override {
        database.run_script(R"(
            INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0);
            INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 0, NULL, NULL, 0, 1000, 1000, 0, 0,
                                      1, 900, 'none', 1, 4, 0, 1, NULL, NULL, 0, 0, 3, 'none',
                                      '', '', '', 'everyone', NULL, 0);
            BEGIN;)");
    }
    static Mark mark_of(char kind, std::int64_t number) {
        Mark mark{static_cast<unsigned char>(kind)};
        for (std::size_t i = 0; i < 8; ++i)
            mark[i + 1] = static_cast<unsigned char>(number >> 8 * i);
        return mark;
    }
    Ticket make_ticket(std::int64_t number) const {
        Ticket ticket;
        ticket.id = {kSale, mark_of('t', number)};
        ticket.buyer = kBuyer;
        ticket.pass = mark_of('p', number);
        ticket.key = mark_of('k', number);
        ticket.claimed_at = now;
        return ticket;
    }
    /// As a purchase does it: the look before the claim, the hand-off, then the page's look.
    OrderId buy() {
        now += std::chrono::milliseconds{1};
        const auto ticket = make_ticket(++tickets);
        ledgers::read_past(database, ticket);
        const auto written = ledgers::write_tickets(database, ids, now, news, {&ticket});
        EXPECT_EQ(ledgers::find_latest_ticket(database, kSale, kBuyer)->id, ticket.id);
        return written.outcomes.at(0).value().record.order.value();
    }
    void buy_and_cancel() {
        const auto order = buy();
        EXPECT_TRUE(ledgers::cancel_order(database, order, kBuyer, now, news));
    }
    /// Steps of SQLite's virtual machine, in all statements of this connection since they were
    /// prepared: how much work was done, whatever else the computer does.
    std::int64_t steps() const {
        std::int64_t total = 0;
        for (auto* each = sqlite3_next_stmt(database.handle(), nullptr); each;
             each = sqlite3_next_stmt(database.handle(), each))
            total += sqlite3_stmt_status(each, SQLITE_STMTSTATUS_VM_STEP, 0);
        return total;
    }
    std::optional<TicketId> decided(const Ticket& wish) {
        const auto past = ledgers::list_wish(database, wish);
        const auto* decision = judge_wish(past, wish).decision;
        return decision ? std::optional(decision->id) : std::nullopt;
    }
    std::int64_t cost_of_one() {
        const auto before = steps();
        buy_and_cancel();
        return steps() - before;
    }
};

TEST_F(TicketWriterTest, APurchaseCostsTheSameHoweverManyTicketsTheBuyerHas) {
    for (int i = 0; i < 5; ++i) buy_and_cancel();
    const auto early = cost_of_one();
    for (int i = 0; i < 3'000; ++i) buy_and_cancel();
    EXPECT_LE(cost_of_one(), early + early / 20) << "twentieths are for the statements' own set-up";
}

TEST_F(TicketWriterTest, EveryEarlierTicketIsFoundByItsPassAndItsKey) {
    for (int i = 0; i < 40; ++i) buy_and_cancel();
    for (std::int64_t number = 1; number <= tickets; ++number) {
        auto by_pass = make_ticket(1'000);
        by_pass.pass = make_ticket(number).pass;
        auto by_key = make_ticket(1'000);
        by_key.key = make_ticket(number).key;
        for (const auto& wish : {by_pass, by_key, make_ticket(number)})
            EXPECT_EQ(decided(wish), make_ticket(number).id) << number;
    }
    EXPECT_FALSE(decided(make_ticket(1'000)));
}

}  // namespace
}  // namespace sluice::sqlite
