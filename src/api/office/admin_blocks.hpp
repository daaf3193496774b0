#pragma once

#include "app/office/block_book.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

class AdminBlocks {
  public:
    explicit AdminBlocks(BlockBook& book) : book_(book) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending put(http::Exchange& exchange);
    http::Pending lift(http::Exchange& exchange);

  private:
    Task<> change(http::Exchange& exchange, BlockSubject subject, BlockBook::Wish wish);
    Task<> remove(http::Exchange& exchange, BlockSubject subject);

    BlockBook& book_;
};

}  // namespace sluice::api
