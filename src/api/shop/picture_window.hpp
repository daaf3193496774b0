#pragma once

#include "app/catalog/picture_shelf.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Shows uploaded pictures to everybody.
class PictureWindow {
  public:
    explicit PictureWindow(PictureShelf& shelf) : shelf_(shelf) {}

    http::Pending show(http::Exchange& exchange);

  private:
    Task<> look_up(http::Exchange& exchange, PictureName name);

    PictureShelf& shelf_;
};

}  // namespace sluice::api
