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
}

TEST(DeedDetails, EscapeWhatOthersHaveWritten) {
    const SentBack money{.refund = ChargeId{7},
                         .provider = "outside",
                         .charge_ref = "a\"}\n",
                         .amount_cents = 500,
                         .currency = "CNY"};
    EXPECT_EQ(deed_details(money), R"({"refund_id":"7","provider":"outside","charge_id":"a\"}\n",)"
                                   R"("amount_cents":500,"currency":"CNY"})");
}

}  // namespace
}  // namespace sluice
