#include <gmock/gmock.h>

#include "adapters/rabbitmq/broker.hpp"
#include "app/purchase/prepared_tickets.hpp"
#include "app/purchase/queued_intake.hpp"
#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"
#include "support/hand_in.hpp"
#include "support/rabbitmq_server.hpp"
#include "support/redis_node.hpp"
#include "support/scripted_ports.hpp"
#include "workers/ticket_consumer.hpp"

namespace sluice {
namespace {

using namespace testing_support;
using Fate = OrderIntake::Fate;
using Taken = OrderIntake::Taken;

/// The hand-off through RabbitMQ, with a writer behind it, on every ledger.
class QueuedIntakeContract : public contract::OrderContract {
  protected:
    rabbitmq::Broker broker{options(), {}};
    ScriptedGate gate;
    Log log{Log::Level::error, Log::Format::text};
    HotOutbox hot_changes{gate, orders, log};
    ClaimSettler settler{gate, hot_changes, [](SaleId) {}};
    QueuedIntake queued{broker.queue(), gate, ledgers->tickets(), {}};
    TicketSource& source = *broker.sources().front();
    TicketConsumer writer{source, ledgers->tickets(), settler,
                          [](const Ticket&, std::string_view) { ADD_FAILURE(); }};
    PreparedTickets prepared_rows{ledgers->tickets(), ledgers->clock()};
    TicketConsumer journal_writer{prepared_rows, ledgers->tickets(), settler,
                                  [](const Ticket&, std::string_view) { ADD_FAILURE(); }};
    std::vector<Taken> told;

    static rabbitmq::Options options() {
        auto made = RabbitmqServer::shared().options();
        made.sources = 1;
        return made;
    }
    void connect() {
        ASSERT_TRUE(eventually([&] { return broker.state().is_connected; }));
    }
    void hand_in_all(const std::vector<Ticket>& tickets) {
        for (const auto& ticket : tickets)
            loop.spawn(hand_in(queued, ticket), [this](std::exception_ptr error, Taken taken) {
                EXPECT_FALSE(error);
                told.push_back(std::move(taken));
            });
        loop.run();
    }
    /// Waits until so many claims are settled or released.
    void write(std::size_t decided) {
        EXPECT_TRUE(eventually([&] {
            run_to_end(writer.consume());
            return gate.settled.size() + gate.released.size() >= decided;
        }));
    }
    std::optional<TicketRecord> found(const Ticket& ticket) {
        return run_to_end(orders.ticket(ticket.id, ticket.buyer));
    }
};

TEST_P(QueuedIntakeContract, WhatIsQueuedIsOrderedByAWriter) {
    connect();
    const auto ticket = make_ticket(7, 1, 2);
    hand_in_all({ticket});
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].fate, Fate::queued);
    EXPECT_EQ(told[0].record.id, ticket.id);
    EXPECT_FALSE(found(ticket)) << "the broker has it, not the journal";
    expect_stock(10, 0);
    write(1);
    EXPECT_EQ(found(ticket)->state, TicketState::committed);
    EXPECT_THAT(gate.settled, testing::ElementsAre(ticket.id));
    expect_stock(8, 2);
    EXPECT_EQ(queued.backlog(), 0U);
}

TEST_P(QueuedIntakeContract, ACrowdGetsWhatThereIsAndTheRestARefusal) {
    connect();
    std::vector<Ticket> tickets;
    for (std::int64_t buyer = 1; buyer <= 60; ++buyer) tickets.push_back(make_ticket(buyer));
    hand_in_all(tickets);
    EXPECT_EQ(std::ranges::count(told, Fate::queued, &Taken::fate), 60);
    write(60);
    EXPECT_EQ(gate.settled.size(), 10U);
    EXPECT_EQ(gate.released.size(), 50U);
    for (const auto& ticket : tickets)
        EXPECT_NE(found(ticket)->state, TicketState::prepared) << "each has its outcome";
    expect_stock(0, 10);
}

TEST_P(QueuedIntakeContract, ATicketThatIsHandedInTwiceIsOneOrder) {
    connect();
    hand_in_all({make_ticket(7), make_ticket(7)});
    hand_in_all({make_ticket(7)});
    write(1);
    EXPECT_TRUE(eventually([&] {
        run_to_end(writer.consume());
        return broker.state().messages == 0;
    }));
    EXPECT_EQ(run_to_end(orders.orders(UserId{7}, {}, 10)).size(), 1U);
    expect_stock(9, 1);
}

TEST_P(QueuedIntakeContract, WhatComesByBothWaysIsOneOrder) {
    connect();
    hand_in_all({make_ticket(7)});
    prepare(make_ticket(7));  // as after a confirm that was lost
    run_to_end(journal_writer.consume());
    expect_stock(9, 1);
    write(2);
    EXPECT_EQ(run_to_end(orders.orders(UserId{7}, {}, 10)).size(), 1U);
    EXPECT_TRUE(gate.released.empty());
    expect_stock(9, 1);
}

TEST_P(QueuedIntakeContract, WithoutTheBrokerTheJournalHasIt) {
    rabbitmq::Options nowhere = options();
    nowhere.password = "wrong";
    rabbitmq::Broker away(nowhere, {});
    QueuedIntake by_journal(away.queue(), gate, ledgers->tickets(), {});
    loop.spawn(hand_in(by_journal, make_ticket(7)),
               [this](std::exception_ptr, Taken taken) { told.push_back(std::move(taken)); });
    loop.run();
    EXPECT_EQ(told.at(0).fate, Fate::queued);
    EXPECT_EQ(found(make_ticket(7))->state, TicketState::prepared);
    run_to_end(journal_writer.consume());
    EXPECT_EQ(found(make_ticket(7))->state, TicketState::committed);
    expect_stock(9, 1);
}

RUN_ON_EVERY_ADAPTER(QueuedIntakeContract);

}  // namespace
}  // namespace sluice
