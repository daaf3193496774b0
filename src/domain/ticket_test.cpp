#include "domain/ticket.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TicketRecord rolled_back(unsigned char number, Reason reason) {
    TicketRecord record;
    record.id = {SaleId{1}, Mark{number}};
    record.state = TicketState::rolled_back;
    record.reason = reason;
    record.pass = Mark{1};
    record.key = Mark{2};
    return record;
}

TicketRecord committed(unsigned char number) {
    auto record = rolled_back(number, Reason::busy);
    record.state = TicketState::committed;
    record.reason.reset();
    record.order = OrderId{9};
    return record;
}

Ticket wish(unsigned char number, Mark pass, std::optional<Mark> key) {
    Ticket ticket;
    ticket.id = {SaleId{1}, Mark{number}};
    ticket.pass = pass;
    ticket.key = key;
    return ticket;
}

TEST(Ticket, ARefusalIsTheOutcomeUnlessItSaysSendItAgain) {
    const struct {
        Reason reason;
        bool is_temporary;
    } rows[] = {
        {Reason::not_found, false},
        {Reason::unauthenticated, false},
        {Reason::forbidden, false},
        {Reason::invalid, false},
        {Reason::conflict, false},
        {Reason::ended, false},
        {Reason::paused, true},
        {Reason::not_started, true},
        {Reason::sold_out, false},
        {Reason::limit_reached, false},
        {Reason::pass_invalid, false},
        {Reason::gate_closed, true},
        {Reason::idempotency_mismatch, false},
        {Reason::busy, true},
        {Reason::unavailable, true},
    };
    for (const auto& row : rows) {
        const auto record = rolled_back(3, row.reason);
        EXPECT_EQ(was_given_up(record), row.is_temporary) << static_cast<int>(row.reason);
        const TicketRecord past[] = {record};
        for (const auto& again :
             {wish(3, Mark{1}, {}), wish(4, Mark{1}, {}), wish(4, Mark{5}, Mark{2})})
            EXPECT_EQ(find_same_wish(past, again) != nullptr, !row.is_temporary)
                << static_cast<int>(row.reason);
    }
}

TEST(Ticket, WhatIsNotRolledBackWasNotGivenUp) {
    EXPECT_FALSE(was_given_up(committed(3)));
    TicketRecord prepared;
    EXPECT_FALSE(was_given_up(prepared));
}

TEST(Ticket, AnOrderIsFoundAmongRefusalsAndTriesThatDecidedNothing) {
    const TicketRecord past[] = {rolled_back(6, Reason::paused), rolled_back(5, Reason::sold_out),
                                 committed(4), rolled_back(3, Reason::busy)};
    for (const auto& again :
         {wish(7, Mark{1}, {}), wish(7, Mark{9}, Mark{2}), wish(5, Mark{1}, Mark{8})}) {
        const auto* found = find_same_wish(past, again);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->id, committed(4).id);
    }
    EXPECT_EQ(find_same_wish(past, wish(7, Mark{9}, Mark{8})), nullptr) << "another wish";
}

TEST(Ticket, ARecordThatNamesTheDecisionLinksItsKeyAndItsPassToIt) {
    auto decision = committed(4);  // by pass 1
    decision.key.reset();
    auto link = rolled_back(5, Reason::busy);  // by pass 1 and key 2
    link.same_as = decision.id;
    const TicketRecord past[] = {link, decision};
    const auto* found = find_same_wish(past, wish(7, Mark{9}, Mark{2}));
    ASSERT_NE(found, nullptr) << "the key has been answered with that order";
    EXPECT_EQ(found->id, decision.id);
    EXPECT_EQ(find_same_wish(past, wish(7, Mark{9}, Mark{8})), nullptr) << "another wish";
}

}  // namespace
}  // namespace sluice
