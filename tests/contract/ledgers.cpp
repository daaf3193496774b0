#include "contract/ledgers.hpp"

#include "adapters/sqlite/ledger.hpp"
#include "adapters/sqlite/migrate.hpp"
#include "base/run_to_end.hpp"
#include "support/temp_folder.hpp"

namespace sluice::contract {
namespace {

class SqliteLedgers final : public Ledgers {
  public:
    UserLedger& users() override { return ledger_.users(); }
    SessionLedger& sessions() override { return ledger_.sessions(); }
    CatalogLedger& catalog() override { return ledger_.catalog(); }
    TrailLedger& trail() override { return ledger_.trail(); }
    ReceiptLedger& receipts() override { return ledger_.receipts(); }

  private:
    static sqlite::LedgerOptions make_options(const std::filesystem::path& file) {
        sqlite::migrate(file);
        return {.file = file};
    }

    testing_support::TempFolder folder_;
    sqlite::Ledger ledger_{make_options(folder_ / "ledger.db")};
};

}  // namespace

std::vector<Adapter> adapters() {
    return {
        {"sqlite", []() -> std::unique_ptr<Ledgers> { return std::make_unique<SqliteLedgers>(); }}};
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
            .created_at = now};
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
            .gate_factor = 3,
            .version = 1,
            .created_at = now};
}

Receipt LedgerContract::make_receipt(std::string key, unsigned char body,
                                     std::string answer) const {
    return {.scope = "1 POST /items",
            .key = std::move(key),
            .body_digest = {body},
            .answer = std::move(answer),
            .at = now};
}

void LedgerContract::add_user(std::int64_t id) {
    ASSERT_TRUE(run_to_end(ledgers->users().add(make_account(id), std::nullopt)));
}

void LedgerContract::add_item(std::int64_t id) {
    ASSERT_TRUE(
        run_to_end(ledgers->catalog().add_item(make_item(id), make_deed(id), std::nullopt)));
}

SessionKey make_key(unsigned char first) {
    return {first};
}

}  // namespace sluice::contract
