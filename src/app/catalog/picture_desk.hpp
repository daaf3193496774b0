#pragma once

#include <cstddef>
#include <string_view>

#include "app/catalog/picture_shelf.hpp"
#include "app/office/actor.hpp"
#include "base/worker_threads.hpp"
#include "picture/codec/head.hpp"
#include "ports/clock.hpp"
#include "ports/picture_ledger.hpp"

namespace sluice {

/// Takes the pictures that operators upload. What strangers would see is made anew from the pixels,
/// so nothing else of the file is passed on: neither where it was taken nor what a decoder might
/// stumble over.
class PictureDesk {
  public:
    struct Options {
        std::size_t threads = 1;  // each may take 300 MiB for a moment
        std::size_t backlog = 8;  // as many uploads may wait, in memory
        PictureBounds bounds{};
    };

    PictureDesk(PictureLedger& ledger, PictureShelf& shelf, const Clock& clock, IdSource& ids,
                Options options);

    /// By what the file says of itself, without looking at a pixel. `kind`: what the sender calls
    /// it.
    static Outcome<PictureHead> judge(std::string_view file, PictureKind kind);

    struct Taken {
        Picture picture;
        bool is_new = true;  // false: it had been uploaded before
    };
    /// Decodes and encodes on a thread of its own. `file` has been judged, and lives until the task
    /// ends. Throws Overload when too many wait, or Outage.
    Task<Outcome<Taken>> take(std::string_view file, PictureHead head, Actor actor);

    /// Refused while an item shows it. Other nodes notice within PictureShelf::kLife.
    Task<Outcome<Done>> remove(PictureHash hash, Actor actor);

    std::size_t waiting() const { return threads_.waiting(); }

  private:
    PictureLedger& ledger_;
    PictureShelf& shelf_;
    const Clock& clock_;
    IdSource& ids_;
    const Options options_;
    WorkerThreads threads_;  // last: its jobs end before what they use
};

}  // namespace sluice
