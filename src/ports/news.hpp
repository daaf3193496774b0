#pragma once

#include <span>

#include "domain/buyer_news.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// What one commit has changed, with the state after it.
struct NewsEdition {
    std::span<const Sale> sales;
    std::span<const BuyerNews> buyers;
};

}  // namespace sluice
