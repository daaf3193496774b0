#include "contract/ledgers.hpp"

#include "adapters/mariadb/archive/archive_move.hpp"
#include "adapters/mariadb/audit.hpp"
#include "adapters/mariadb/ledger.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_move.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "base/check.hpp"
#include "base/id_source.hpp"
#include "base/run_to_end.hpp"
#include "support/hand_in.hpp"
#include "support/mariadb_server.hpp"
#include "support/temp_folder.hpp"

namespace sluice::contract {
namespace {

constexpr std::string_view kAddBlock =
    "INSERT INTO blocks (id, subject, reason, until, at, by_id) VALUES (?1, ?2, 'reason', NULL, 1, "
    "1)";

constexpr std::string_view kCountOrders = "SELECT count(*) FROM orders";

std::string nth_address(std::size_t i) {
    return "10." + std::to_string(i >> 16) + "." + std::to_string(i >> 8 & 255) + "." +
           std::to_string(i & 255);
}

class SqliteLedgers final : public Ledgers {
  public:
    sluice::Ledgers& all() override { return ledger_; }
    OrderIntake& intake() override { return *intake_; }
    TicketLedger& tickets() override { return *tickets_; }
    testing_support::ManualClock& clock() override { return clock_; }

    Client second() override {
        if (!second_) second_.emplace(folder_ / "ledger.db", clock_);
        return {second_->ledger, *second_->intake, *second_->tickets};
    }
    void set_order_state(OrderId id, OrderState state) override {
        other_.run("UPDATE orders SET state = ?2 WHERE id = ?1", id, to_string(state));
    }
    void lose_held(SaleId sale, std::int64_t units) override {
        other_.run(
            "UPDATE sales SET stock_held = stock_held - ?2, stock_left = stock_left + ?2 "
            "WHERE id = ?1",
            sale, units);
    }
    void lose_holding(SaleId sale, UserId buyer) override {
        other_.run("UPDATE holdings SET units = 0 WHERE sale_id = ?1 AND buyer_id = ?2", sale,
                   buyer);
    }
    void fill_blocks(std::size_t count) override {
        other_.run("BEGIN IMMEDIATE");
        for (std::size_t i = 1; i <= count; ++i) other_.run(kAddBlock, i, nth_address(i));
        other_.run("COMMIT");
    }
    std::vector<Notice> broken_links() override { return ledgers::broken_links(other_); }
    void archive(SaleId sale, const Deed& deed) override {
        sqlite::archive_sale({.ledger = folder_ / "ledger.db",
                              .sale = sale,
                              .ended_before = clock_.now(),
                              .deed = deed});
    }
    void bring_back(SaleId sale, const Deed& deed) override {
        sqlite::bring_back_sale(folder_ / "ledger.db", sale, deed);
    }
    std::int64_t orders_in_ledger() override { return other_.value<std::int64_t>(kCountOrders); }
    AuditReport audit(std::optional<SaleId> sale) override {
        return sqlite::audit(folder_ / "ledger.db", sale, clock_.now()).value();
    }
    void stall() override { other_.run("BEGIN IMMEDIATE"); }
    void go_on() override { other_.run("ROLLBACK"); }

  private:
    static sqlite::LedgerOptions make_options(const std::filesystem::path& file) {
        sqlite::migrate(file);
        return {.file = file};
    }

    struct Second {
        Second(const std::filesystem::path& file, const Clock& clock)
            : ledger({.file = file}),
              intake(ledger.open_intake(clock, ids, {})),
              tickets(ledger.open_tickets(clock, ids, [](Timestamp) {})) {}

        IdSource ids{2};
        sqlite::Ledger ledger;
        std::unique_ptr<OrderIntake> intake;
        std::unique_ptr<TicketLedger> tickets;
    };

    testing_support::TempFolder folder_;
    testing_support::ManualClock clock_;
    IdSource ids_{1};
    sqlite::Ledger ledger_{make_options(folder_ / "ledger.db")};
    std::unique_ptr<OrderIntake> intake_ = ledger_.open_intake(clock_, ids_, {.backlog = 1});
    std::unique_ptr<TicketLedger> tickets_ = ledger_.open_tickets(clock_, ids_, [](Timestamp) {});
    std::optional<Second> second_;
    sqlite::Database other_ = sqlite::Database::open_writer(folder_ / "ledger.db");
};

class MariadbLedgers final : public Ledgers {
  public:
    MariadbLedgers() { other_.connect(); }

    sluice::Ledgers& all() override { return ledger_; }
    OrderIntake& intake() override { return *intake_; }
    TicketLedger& tickets() override { return *tickets_; }
    testing_support::ManualClock& clock() override { return clock_; }

    Client second() override {
        if (!second_) second_.emplace(database_.address(), clock_);
        return {second_->ledger, *second_->intake, *second_->tickets};
    }
    void set_order_state(OrderId id, OrderState state) override {
        other_.run("UPDATE orders SET state = ?2 WHERE id = ?1", id, to_string(state));
    }
    void lose_held(SaleId sale, std::int64_t units) override {
        other_.run(
            "UPDATE sales SET stock_held = stock_held - ?2, stock_left = stock_left + ?2 "
            "WHERE id = ?1",
            sale, units);
    }
    void lose_holding(SaleId sale, UserId buyer) override {
        other_.run("UPDATE holdings SET units = 0 WHERE sale_id = ?1 AND buyer_id = ?2", sale,
                   buyer);
    }
    void fill_blocks(std::size_t count) override {
        auto& add = other_.statement(kAddBlock);
        for (std::size_t i = 1; i <= count; ++i) add.keep_row(i, nth_address(i));
        add.run_rows();
    }
    std::vector<Notice> broken_links() override { return ledgers::broken_links(other_); }
    void archive(SaleId sale, const Deed& deed) override {
        mariadb::archive_sale(database_.address(),
                              {.sale = sale, .ended_before = clock_.now(), .deed = deed});
    }
    void bring_back(SaleId sale, const Deed& deed) override {
        mariadb::bring_back_sale(database_.address(), sale, deed);
    }
    std::int64_t orders_in_ledger() override { return other_.value<std::int64_t>(kCountOrders); }
    AuditReport audit(std::optional<SaleId> sale) override {
        return mariadb::audit(database_.address(), sale, clock_.now()).value();
    }
    void stall() override {
        // The locks that ordinary work waits for, and those that purchases wait for.
        other_.begin("SERIALIZABLE", std::nullopt,
                     "SELECT one FROM ledger_turn FOR UPDATE; SELECT id FROM sales FOR UPDATE");
    }
    void go_on() override { other_.roll_back(); }

  private:
    struct Second {
        Second(const mariadb::ServerAddress& address, const Clock& clock)
            : ledger({.address = address}),
              intake(ledger.open_intake(clock, ids, {})),
              tickets(ledger.open_tickets(clock, ids, [](Timestamp) {})) {}

        IdSource ids{2};
        mariadb::Ledger ledger;
        std::unique_ptr<OrderIntake> intake;
        std::unique_ptr<TicketLedger> tickets;
    };

    testing_support::MariadbDatabase database_;
    testing_support::ManualClock clock_;
    IdSource ids_{1};
    mariadb::Ledger ledger_{{.address = database_.address()}};
    std::unique_ptr<OrderIntake> intake_ = ledger_.open_intake(clock_, ids_, {.backlog = 1});
    std::unique_ptr<TicketLedger> tickets_ = ledger_.open_tickets(clock_, ids_, [](Timestamp) {});
    std::optional<Second> second_;
    mariadb::Connection other_{database_.address(), mariadb::kLongPatience};
};

template <class Made>
std::unique_ptr<Ledgers> make() {
    return std::make_unique<Made>();
}

}  // namespace

std::vector<Adapter> adapters() {
    return {{"sqlite", make<SqliteLedgers>}, {"mariadb", make<MariadbLedgers>}};
}

User LedgerContract::make_user(std::int64_t id) const {
    return {.id = UserId{id},
            .phone = std::to_string(10'000 + id),
            .name = "user " + std::to_string(id),
            .role = Role::buyer,
            .created_at = now};
}

Account LedgerContract::make_account(std::int64_t id) const {
    return {.user = make_user(id), .password_hash = "hash"};
}

Deed LedgerContract::make_deed(std::int64_t id) const {
    return {.id = DeedId{id},
            .at = now,
            .actor = UserId{1},
            .address = "127.0.0.1",
            .request_id = "r" + std::to_string(id),
            .action = "sale.pause",
            .subject = "7",
            .before = R"({"paused":false})",
            .after = R"({"paused":true})"};
}

Item LedgerContract::make_item(std::int64_t id) const {
    return {.id = ItemId{id},
            .title = "茶 \"tea\"; [1]",
            .description = "",
            .image_url = "/tea.png",
            .list_price_cents = 1'999,
            .currency = "CNY",
            .version = 1,
            .created_at = now,
            .category = "茶",
            .pictures = {"/a.png", "https://x/b.png"}};
}

Sale LedgerContract::make_sale(std::int64_t id, ItemId item, SaleKind kind) const {
    return {.id = SaleId{id},
            .item_id = item,
            .kind = kind,
            .price_cents = 99,
            .currency = "CNY",
            .starts_at = now,
            .ends_at = now + std::chrono::hours{1},
            .ended_at = std::nullopt,
            .paused = false,
            .stock = {.total = 10, .left = 7, .held = 2, .sold = 1},
            .limit_per_buyer = 2,
            .hold_seconds = 60,
            .challenge = Challenge::pow,
            .challenge_bits = 20,
            .gate_factor = 3,
            .unpaid_limit = 4,
            .version = 1,
            .created_at = now,
            .name = "双十一 🎁",
            .campaign = "11.11",
            .tags = {"tea", "礼物"},
            .audience = Audience::listed_first,
            .listed_until = now + std::chrono::minutes{30}};
}

Receipt LedgerContract::make_receipt(std::string key, unsigned char body,
                                     std::string answer) const {
    return {.scope = "1 POST /items",
            .key = std::move(key),
            .body_digest = {body},
            .answer = std::move(answer),
            .at = now};
}

CatalogLedger::DecideSale LedgerContract::decide_by(Rule rule) {
    auto deed = make_deed(++deeds_);
    deed.at = ledgers->clock().now();
    using Decision = Outcome<std::optional<CatalogLedger::SaleChange>>;
    return [rule = std::move(rule), deed](const Sale& before) -> Decision {
        auto after = rule(before);
        if (!after) return std::unexpected(after.error());
        if (after->version == before.version) return std::nullopt;
        return CatalogLedger::SaleChange{*after, deed};
    };
}

LedgerContract::Rule LedgerContract::set(std::function<void(Sale&)> change) {
    return [change = std::move(change)](const Sale& before) -> Outcome<Sale> {
        Sale after = before;
        change(after);
        after.version += 1;
        return after;
    };
}

Outcome<CatalogLedger::SaleChanged> LedgerContract::change(SaleId id, Rule rule,
                                                           std::optional<Receipt> receipt) {
    return run_to_end(
        ledgers->all().catalog().change_sale(id, decide_by(std::move(rule)), std::move(receipt)));
}

void LedgerContract::add_user(std::int64_t id) {
    ASSERT_TRUE(run_to_end(ledgers->all().users().add(make_account(id), std::nullopt)));
}

void LedgerContract::add_item(std::int64_t id) {
    ASSERT_TRUE(
        run_to_end(ledgers->all().catalog().add_item(make_item(id), make_deed(id), std::nullopt)));
}

void OrderContract::SetUp() {
    add_user(1);
    add_item(1);
    sale = make_sale(1, ItemId{1});
    sale.starts_at = ledgers->clock().now();
    sale.ends_at = sale.starts_at + std::chrono::hours{1};
    sale.stock = {.total = 10, .left = 10, .held = 0, .sold = 0};
    sale.limit_per_buyer = 3;
    ASSERT_TRUE(run_to_end(ledgers->all().catalog().add_sale(sale, make_deed(100), std::nullopt)));
}

Ticket OrderContract::make_ticket(std::int64_t buyer, unsigned char number, std::int64_t quantity) {
    return {.id = {sale.id, Mark{number, static_cast<unsigned char>(buyer)}},
            .buyer = UserId{buyer},
            .quantity = quantity,
            .epoch = 1,
            .pass = Mark{number, 1},
            .key = Mark{number, 2},
            .claimed_at = ledgers->clock().now()};
}

void OrderContract::prepare(const Ticket& ticket) {
    const auto prepared = run_to_end(ledgers->tickets().prepare({ticket}));
    ASSERT_TRUE(prepared.front());
    ASSERT_EQ(prepared.front()->fate, OrderIntake::Fate::queued);
}

OrderIntake::Taken OrderContract::submit(const Ticket& ticket) {
    return run_to_end(testing_support::hand_in(intake, ticket));
}

Order OrderContract::buy(std::int64_t buyer, unsigned char number, std::int64_t quantity) {
    const auto taken = submit(make_ticket(buyer, number, quantity));
    CHECK(taken.record.order.has_value(), "the purchase went through");
    auto order = run_to_end(orders.order(*taken.record.order, UserId{buyer}));
    CHECK(order.has_value(), "what was ordered is on record");
    return std::move(*order);
}

Sale OrderContract::stored_sale() {
    return run_to_end(ledgers->all().catalog().load()).sales.at(0);
}

void OrderContract::change_sale(std::function<void(Sale&)> wanted) {
    ASSERT_TRUE(change(sale.id, set(std::move(wanted))));
}

std::vector<std::pair<UserId, std::int64_t>> OrderContract::holdings() {
    return run_to_end(orders.hot_copies(ledgers->clock().now())).at(0).holdings;
}

std::vector<HotChange> OrderContract::outbox() {
    return run_to_end(orders.hot_changes(sale.id, 0, 1'000));
}

void OrderContract::expect_stock(std::int64_t left, std::int64_t held) {
    const auto stock = stored_sale().stock;
    EXPECT_EQ(stock.left, left);
    EXPECT_EQ(stock.held, held);
    EXPECT_EQ(stock.total, stock.left + stock.held + stock.sold);
}

SessionKey make_key(unsigned char first) {
    return {first};
}

}  // namespace sluice::contract
