#include "domain/deed_details.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(DeedDetails, AreJson) {
    EXPECT_EQ(deed_details(OrderState::refunded), R"({"state":"refunded"})");
    Delivery delivery;
    delivery.state = DeliveryState::dead;
    delivery.attempts = 12;
    EXPECT_EQ(deed_details(delivery), R"({"state":"dead","attempts":12})");
    EXPECT_EQ(deed_details(Network::parse("203.0.113.7").value(), {.orders = 2, .units = 5}),
              R"({"subject":"203.0.113.7","orders":2,"units":5})");
    EXPECT_EQ(deed_details(TicketState::committed), R"({"state":"ordered"})");
    EXPECT_EQ(deed_details(TicketState::rolled_back), R"({"state":"refused"})");
    EXPECT_EQ(deed_details(TicketState::prepared), R"({"state":"queued"})");
    EXPECT_DEATH(deed_details(TicketState{}), "one of its values");
    EXPECT_EQ(deed_details_of_lost_ticket(), R"({"state":"lost"})");
}

TEST(DeedDetails, EscapeWhatOthersHaveWritten) {
    const SentBack money{.refund = ChargeId{7},
                         .provider = "outside",
                         .charge_ref = "a\"}\n",
                         .amount_cents = 500,
                         .currency = "CNY"};
    EXPECT_EQ(deed_details(money), R"({"refund_id":"7","provider":"outside","charge_id":"a\"}\n",)"
                                   R"("amount_cents":500,"currency":"CNY"})");
    const ParkedNote parked{.buyer = UserId{7}, .quantity = 2, .reason = "a\"}\n", .tries = 3};
    EXPECT_EQ(deed_details(parked), R"({"state":"parked","buyer_id":"7","quantity":2,)"
                                    R"("reason":"a\"}\n","tries":3})");
}

}  // namespace
}  // namespace sluice
