#include "adapters/rabbitmq/codec.hpp"

#include <gtest/gtest.h>

#include "adapters/rabbitmq/acknowledgements.hpp"

namespace sluice::rabbitmq {
namespace {

Ticket ticket(std::int64_t buyer) {
    Ticket made;
    made.id = {SaleId{0x7fff'0000'0000'0001}, Mark{1, 2, 255}};
    made.buyer = UserId{buyer};
    made.quantity = 3;
    made.epoch = 5;
    made.pass = Mark{9};
    made.claimed_at = from_millis(1'800'000'000'123);
    return made;
}

void expect_same(const Ticket& one, const Ticket& other) {
    EXPECT_EQ(one.id, other.id);
    EXPECT_EQ(one.buyer, other.buyer);
    EXPECT_EQ(one.quantity, other.quantity);
    EXPECT_EQ(one.epoch, other.epoch);
    EXPECT_EQ(one.pass, other.pass);
    EXPECT_EQ(one.key, other.key);
    EXPECT_EQ(one.claimed_at, other.claimed_at);
}

TEST(TicketCodec, ReadsWhatItWrote) {
    auto with_key = ticket(8);
    with_key.key = Mark{4, 4};
    const std::vector<Ticket> tickets{ticket(7), with_key};
    const auto read = decode(encode(tickets));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2U);
    expect_same((*read)[0], tickets[0]);
    expect_same((*read)[1], tickets[1]);
}

TEST(TicketCodec, AFullMessageFitsIntoOneFrame) {
    const std::vector<Ticket> tickets(kMostTickets, ticket(7));
    EXPECT_LT(encode(tickets).size(), 128U * 1024 - 8);
    EXPECT_EQ(decode(encode(tickets))->size(), kMostTickets);
}

TEST(TicketCodec, RefusesWhatIsCutOffOrTooLong) {
    const auto body = encode(std::vector{ticket(7), ticket(8)});
    for (std::size_t length = 0; length < body.size(); ++length)
        EXPECT_FALSE(decode(std::string_view(body).substr(0, length))) << length;
    EXPECT_FALSE(decode(body + '\0'));
}

TEST(TicketCodec, RefusesAnotherVersionAndSaysSo) {
    auto body = encode(std::vector{ticket(7)});
    body[3] = 2;
    EXPECT_NE(decode(body).error().find("version 2"), std::string::npos);
}

TEST(TicketCodec, RefusesImpossibleTickets) {
    const auto refuses = [](auto change) {
        auto bad = ticket(7);
        change(bad);
        EXPECT_FALSE(decode(encode(std::vector{ticket(6), bad})));
    };
    refuses([](Ticket& bad) { bad.id.sale = SaleId{0}; });
    refuses([](Ticket& bad) { bad.id.sale = SaleId{-1}; });
    refuses([](Ticket& bad) { bad.buyer = UserId{0}; });
    refuses([](Ticket& bad) { bad.quantity = 0; });
    refuses([](Ticket& bad) { bad.epoch = -4; });
    refuses([](Ticket& bad) { bad.claimed_at = from_millis(-1); });
    refuses([](Ticket& bad) { bad.claimed_at = from_millis(253'402'300'800'000); });
}

using Said = std::vector<Acknowledgement>;

TEST(Acknowledgements, OneIsEnoughForAllUpToIt) {
    std::set<std::uint64_t> open{1, 2, 3, 5};
    EXPECT_EQ(acknowledge_all(open, {1, 2, 3}), (Said{{3, true}}));
    EXPECT_EQ(open, (std::set<std::uint64_t>{5}));
}

TEST(Acknowledgements, NeverSpeakForOneThatIsStillOpen) {
    std::set<std::uint64_t> open{1, 2, 3, 4, 5};
    EXPECT_EQ(acknowledge_all(open, {1, 3, 5}), (Said{{1, true}, {3, false}, {5, false}}));
    EXPECT_EQ(open, (std::set<std::uint64_t>{2, 4}));
    EXPECT_EQ(acknowledge_all(open, {4}), (Said{{4, false}}));
}

TEST(Acknowledgements, PassOverWhatIsNotOpen) {
    std::set<std::uint64_t> open{4};
    EXPECT_EQ(acknowledge_all(open, {1, 2}), Said{});
    EXPECT_EQ(acknowledge_all(open, {}), Said{});
    EXPECT_EQ(open.size(), 1U);
}

}  // namespace
}  // namespace sluice::rabbitmq
