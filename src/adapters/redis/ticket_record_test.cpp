#include "adapters/redis/ticket_record.hpp"

#include <gtest/gtest.h>

#include "adapters/redis/bad_reply.hpp"

namespace sluice::redis {
namespace {

Ticket make_ticket() {
    Ticket ticket;
    ticket.id = {SaleId{4}, Mark{0, 1, ' ', '\n', 255}};
    ticket.buyer = UserId{9'223'372'036'854'775'807};
    ticket.quantity = 3;
    ticket.epoch = 1'794'513'600'123;
    ticket.pass = {9, 8, 7};
    ticket.claimed_at = from_millis(1'794'513'600'456);
    return ticket;
}

void expect_round_trip(const Ticket& ticket) {
    const auto read = from_record(ticket.id.sale, to_text(ticket.id.mark), to_record(ticket));
    EXPECT_EQ(read.id, ticket.id);
    EXPECT_EQ(read.buyer, ticket.buyer);
    EXPECT_EQ(read.quantity, ticket.quantity);
    EXPECT_EQ(read.epoch, ticket.epoch);
    EXPECT_EQ(read.pass, ticket.pass);
    EXPECT_EQ(read.key, ticket.key);
    EXPECT_EQ(read.claimed_at, ticket.claimed_at);
}

TEST(RedisTicketRecord, ComesBackAsItWas) {
    auto ticket = make_ticket();
    expect_round_trip(ticket);
    ticket.key = Mark{1, 2, 3};
    expect_round_trip(ticket);
}

TEST(RedisTicketRecord, WhatIsNotOneIsSaidToBeNone) {
    const auto mark = to_text(Mark{});
    const auto good = to_record(make_ticket());
    EXPECT_THROW(from_record(SaleId{4}, "short", good), BadReply);
    for (const auto* bad : {"", "c", "c 1 1 1 1", "c 1 1 x 1 CQgHAAAAAAAAAAAAAAAAAA"})
        EXPECT_THROW(from_record(SaleId{4}, mark, bad), BadReply) << bad;
    EXPECT_THROW(from_record(SaleId{4}, mark, good + " x"), BadReply);
}

}  // namespace
}  // namespace sluice::redis
