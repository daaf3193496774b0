#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domain/order.hpp"
#include "domain/sale.hpp"
#include "domain/ticket.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// Everything that the store holds at one instant.
struct Shelf {
    struct Row {
        TicketRecord record;
        UserId buyer;
    };
    struct Money {
        OrderId order;
        std::string charge;
        bool captures;
        bool owed;  // or sent back already
    };
    struct DeedRow {
        std::string action;
        std::string request_id;
    };

    std::map<SaleId, Sale> sales;
    std::vector<Row> journal;
    std::map<OrderId, Order> orders;
    std::map<std::pair<SaleId, UserId>, std::int64_t> holdings;
    std::vector<Money> money;
    std::map<DeedId, DeedRow> deeds;

    static Shelf read(Store& store);

    const Row* find(const TicketId& ticket) const;
    std::int64_t units_of(SaleId sale, UserId buyer) const;
    /// How many tickets of the buyer in the sale the ledger or the reaper has given up.
    std::size_t given_up(SaleId sale, UserId buyer) const;
};

}  // namespace sluice::simulation
