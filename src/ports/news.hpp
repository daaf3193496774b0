#pragma once

#include <span>

#include "domain/buyer_news.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// What one commit has changed, as it left it.
struct NewsEdition {
    std::span<const Sale> sales;
    std::span<const BuyerNews> buyers;
};

}  // namespace sluice
