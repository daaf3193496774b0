#pragma once

#include "app/catalog/picture_desk.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Operators upload pictures for their items.
class AdminPictures {
  public:
    explicit AdminPictures(PictureDesk& desk) : desk_(desk) {}

    http::Pending upload(http::Exchange& exchange);
    http::Pending remove(http::Exchange& exchange);

  private:
    Task<> take(http::Exchange& exchange, PictureHead head);
    Task<> remove_one(http::Exchange& exchange, PictureHash hash);

    PictureDesk& desk_;
};

}  // namespace sluice::api
