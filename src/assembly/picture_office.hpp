#pragma once

#include "api/office/admin_pictures.hpp"
#include "api/shop/picture_window.hpp"
#include "assembly/binding.hpp"
#include "base/id_source.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Pictures of items: uploaded by operators, shown to everybody.
class PictureOffice {
  public:
    PictureOffice(PictureLedger& ledger, const Clock& clock, IdSource& ids);

    void bind(const Bind& bind);
    void add_metrics(MetricsPage& metrics) const;

  private:
    PictureShelf shelf_;
    PictureDesk desk_;
    api::PictureWindow window_;
    api::AdminPictures admin_;
};

}  // namespace sluice
