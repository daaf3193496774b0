#include "assembly/picture_office.hpp"

namespace sluice {

PictureOffice::PictureOffice(PictureLedger& ledger, const Clock& clock, IdSource& ids)
    : shelf_(ledger, clock),
      desk_(ledger, shelf_, clock, ids, {}),
      window_(shelf_),
      admin_(desk_) {}

void PictureOffice::bind(const Bind& bind) {
    bind("show_picture", to(window_, &api::PictureWindow::show));
    bind("upload_picture", to(admin_, &api::AdminPictures::upload));
    bind("remove_picture", to(admin_, &api::AdminPictures::remove));
}

void PictureOffice::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_pictures_waiting", "Uploaded pictures that wait to be read.",
                      [this] { return static_cast<double>(desk_.waiting()); });
    metrics.add_gauge("sluice_pictures_cached_bytes", "Pictures of items that are in memory.",
                      [this] { return static_cast<double>(shelf_.bytes()); });
}

}  // namespace sluice
