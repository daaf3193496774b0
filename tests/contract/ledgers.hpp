#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "domain/deed.hpp"
#include "ports/catalog_ledger.hpp"
#include "ports/receipt.hpp"
#include "ports/session_ledger.hpp"
#include "ports/trail_ledger.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::contract {

/// The ledgers of one empty store, as an adapter makes them.
class Ledgers {
  public:
    virtual ~Ledgers() = default;
    virtual UserLedger& users() = 0;
    virtual SessionLedger& sessions() = 0;
    virtual CatalogLedger& catalog() = 0;
    virtual TrailLedger& trail() = 0;
    virtual ReceiptLedger& receipts() = 0;
};

struct Adapter {
    std::string name;
    std::unique_ptr<Ledgers> (*make)();
};

/// Every adapter keeps every promise of the ports: one that is added here is held to all suites.
std::vector<Adapter> adapters();

class LedgerContract : public testing::TestWithParam<Adapter> {
  protected:
    Timestamp now = from_millis(1'800'000'000'000);
    boost::asio::io_context loop;  // outlives the ledgers' threads
    std::unique_ptr<Ledgers> ledgers = GetParam().make();

    User make_user(std::int64_t id) const;
    Account make_account(std::int64_t id) const;
    Deed make_deed(std::int64_t id) const;  // of user 1
    Item make_item(std::int64_t id) const;
    Sale make_sale(std::int64_t id, ItemId item, SaleKind kind = SaleKind::flash) const;
    Receipt make_receipt(std::string key, unsigned char body, std::string answer) const;

    void add_user(std::int64_t id);
    void add_item(std::int64_t id);  // needs user 1
};

SessionKey make_key(unsigned char first);

}  // namespace sluice::contract

/// Runs a suite on every adapter.
#define RUN_ON_EVERY_ADAPTER(suite)                                                    \
    INSTANTIATE_TEST_SUITE_P(Adapters, suite, testing::ValuesIn(contract::adapters()), \
                             [](const auto& tested) { return tested.param.name; })
