#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domain/deed.hpp"
#include "ports/auditor.hpp"
#include "ports/ledgers.hpp"
#include "support/manual_clock.hpp"
#include "support/test_loop.hpp"

namespace sluice::contract {

/// The ledgers of one empty store, made by an adapter, and what tests do to the store.
class Ledgers {
  public:
    virtual ~Ledgers() = default;
    virtual sluice::Ledgers& all() = 0;

    /// What an adapter's intake does not do itself, such as consuming a queue, runs in the
    /// background.
    virtual OrderIntake& intake() = 0;
    virtual TicketLedger& tickets() = 0;
    virtual testing_support::ManualClock& clock() = 0;  // of intake and tickets

    /// Another client of the same store, as another process would have it, with the same clock.
    struct Client {
        sluice::Ledgers& ledgers;
        OrderIntake& intake;
        TicketLedger& tickets;
    };
    virtual Client second() = 0;

    /// Changes the state only, without what would change together with it.
    virtual void set_order_state(OrderId id, OrderState state) = 0;

    virtual void lose_holding(SaleId sale, UserId buyer) = 0;
    /// Changes rows so that this many held units count as left.
    virtual void lose_held(SaleId sale, std::int64_t units) = 0;

    /// What breaks the chain of the audit trail.
    virtual std::vector<Notice> broken_links() = 0;

    /// As `sluice archive` does, for a sale that ended before now.
    virtual void archive(SaleId sale, const Deed& deed) = 0;
    virtual void bring_back(SaleId sale, const Deed& deed) = 0;
    /// How many orders are in the ledger itself.
    virtual std::int64_t orders_in_ledger() = 0;
    virtual AuditReport audit(std::optional<SaleId> sale) = 0;

    /// Nothing is written until go_on() is called.
    virtual void stall() = 0;
    virtual void go_on() = 0;

    /// Adds this many blocks by user 1. Quicker than by the port, which writes a deed for each.
    virtual void fill_blocks(std::size_t count) = 0;
};

struct Adapter {
    std::string name;
    std::unique_ptr<Ledgers> (*make)();
};

/// Every adapter keeps every promise of the ports: an adapter that is added here has to pass all
/// suites.
std::vector<Adapter> adapters();

class LedgerContract : public testing::TestWithParam<Adapter> {
  protected:
    Timestamp now = from_millis(1'800'000'000'000);
    testing_support::TestLoop loop;  // outlives the ledgers' threads
    std::unique_ptr<Ledgers> ledgers = GetParam().make();

    User make_user(std::int64_t id) const;
    Account make_account(std::int64_t id) const;
    Deed make_deed(std::int64_t id) const;  // of user 1
    Item make_item(std::int64_t id) const;
    Sale make_sale(std::int64_t id, ItemId item, SaleKind kind = SaleKind::flash) const;
    Receipt make_receipt(std::string key, unsigned char body, std::string answer) const;

    /// Makes an operator's change by a rule, with a new deed.
    using Rule = std::function<Outcome<Sale>(const Sale&)>;
    CatalogLedger::DecideSale decide_by(Rule rule);
    /// Makes the change without any rule.
    static Rule set(std::function<void(Sale&)> change);
    Outcome<CatalogLedger::SaleChanged> change(SaleId id, Rule rule,
                                               std::optional<Receipt> receipt = {});

    void add_user(std::int64_t id);
    void add_item(std::int64_t id);  // needs user 1

  private:
    std::int64_t deeds_ = 1'000;
};

/// With sale 1 of item 1: 10 units, 3 for each buyer, open at the clock's time.
class OrderContract : public LedgerContract {
  protected:
    OrderLedger& orders = ledgers->all().orders();
    OrderIntake& intake = ledgers->intake();
    Sale sale;

    void SetUp() override;

    /// Tickets of a buyer differ by this number.
    Ticket make_ticket(std::int64_t buyer, unsigned char number = 1, std::int64_t quantity = 1);
    OrderIntake::Taken submit(const Ticket& ticket);
    /// As a node notes a ticket that no broker accepts.
    void prepare(const Ticket& ticket);
    Order buy(std::int64_t buyer, unsigned char number = 1, std::int64_t quantity = 1);
    Sale stored_sale();
    void change_sale(std::function<void(Sale&)> wanted);

    /// The units of each buyer who has history in the sale.
    std::vector<std::pair<UserId, std::int64_t>> holdings();

    /// All rows of the sale's hot outbox.
    std::vector<HotChange> outbox();
    /// What the stock should be: no unit is ever lost or added.
    void expect_stock(std::int64_t left, std::int64_t held);
};

SessionKey make_key(unsigned char first);

/// Later than any session of a test lasts.
inline constexpr std::chrono::hours kFar{24 * 365};

}  // namespace sluice::contract

/// Runs a suite on every adapter.
#define RUN_ON_EVERY_ADAPTER(suite)                                                    \
    INSTANTIATE_TEST_SUITE_P(Adapters, suite, testing::ValuesIn(contract::adapters()), \
                             [](const auto& tested) { return tested.param.name; })
