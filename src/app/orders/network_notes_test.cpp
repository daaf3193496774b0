#include "app/orders/network_notes.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"

namespace sluice {
namespace {

class Book final : public HoldNetworkLedger {
  public:
    Task<Done> note(std::vector<HoldNetwork> networks) override {
        if (is_away) throw Outage("away");
        sizes.push_back(networks.size());
        for (const auto& each : networks) written.push_back(each);
        co_return Done{};
    }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t) override { co_return 0; }

    bool is_away = false;
    std::vector<std::size_t> sizes;
    std::vector<HoldNetwork> written;
};

class NetworkNotesTest : public testing::Test {
  protected:
    void note(std::int64_t number, const char* from = "203.0.113.7") {
        notes.note({SaleId{number}, Mark{}}, *Address::parse(from));
    }

    Book book;
    testing_support::ManualClock clock;
    NetworkNotes notes{book, clock};
};

TEST_F(NetworkNotesTest, APurchaseWritesNothingByItself) {
    note(1);
    note(2, "2001:db8::7");
    EXPECT_TRUE(book.sizes.empty());
    EXPECT_EQ(notes.waiting(), 2U);
    run_to_end(notes.write_some());
    ASSERT_EQ(book.written.size(), 2U);
    EXPECT_EQ(book.written[0].ticket.sale, SaleId{1});
    EXPECT_EQ(book.written[0].network.text(), "203.0.113.7/32");
    EXPECT_EQ(book.written[0].at, clock.now());
    EXPECT_EQ(book.written[1].network.text(), "2001:db8::/64") << "a household, not an address";
    EXPECT_EQ(notes.waiting(), 0U);
    run_to_end(notes.write_some());
    EXPECT_EQ(book.sizes.size(), 1U) << "nothing is written for nothing";
}

TEST_F(NetworkNotesTest, ARoundWritesOneBiteAndTheEndWritesTheRest) {
    for (std::int64_t i = 1; i <= 1'200; ++i) note(i);
    run_to_end(notes.write_some());
    EXPECT_EQ(book.sizes, (std::vector<std::size_t>{NetworkNotes::kAtOnce}));
    run_to_end(notes.write_last());
    EXPECT_EQ(book.sizes, (std::vector<std::size_t>{500, 500, 200}));
    for (std::size_t i = 0; i < book.written.size(); ++i)
        EXPECT_EQ(book.written[i].ticket.sale.value, static_cast<std::int64_t>(i) + 1);
}

TEST_F(NetworkNotesTest, WhatCouldNotBeWrittenWaits) {
    note(1);
    book.is_away = true;
    EXPECT_THROW(run_to_end(notes.write_some()), Outage);
    note(2);
    book.is_away = false;
    run_to_end(notes.write_some());
    ASSERT_EQ(book.written.size(), 2U);
    EXPECT_EQ(book.written[0].ticket.sale, SaleId{1});
}

TEST_F(NetworkNotesTest, ItsMemoryIsBounded) {
    for (std::size_t i = 0; i < NetworkNotes::kMost + 5; ++i) note(1);
    EXPECT_EQ(notes.waiting(), NetworkNotes::kMost);
    run_to_end(notes.write_last());
    EXPECT_EQ(book.sizes.size(), 20U) << "the process has to end";
}

}  // namespace
}  // namespace sluice
