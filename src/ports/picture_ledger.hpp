#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/picture.hpp"

namespace sluice {

/// The system of record for pictures that were uploaded. Each change by an operator writes its deed
/// in the same transaction. May throw Outage, as UserLedger; each call may be repeated.
class PictureLedger {
  public:
    virtual ~PictureLedger() = default;

    /// True: it is new. False: it is there already, and from `deed.at` on as if it had just been
    /// uploaded; then there is no deed. Refuses with conflict when there are as many pictures, or
    /// as many bytes, as the bounds say.
    virtual Task<Outcome<bool>> add(Picture picture, PictureBounds bounds, Deed deed) = 0;

    /// The bytes of one size.
    virtual Task<std::optional<std::string>> find(PictureName name) = 0;

    /// Refuses with not_found, and with conflict while an item shows the picture.
    virtual Task<Outcome<Done>> remove(PictureHash hash, Deed deed) = 0;

    /// Notes at `now` which pictures items show, then removes pictures that were last uploaded or
    /// shown before `unused_since`: at most `limit`, and how many it were. An item that is given a
    /// picture meanwhile keeps it.
    virtual Task<std::size_t> prune(Timestamp now, Timestamp unused_since, std::size_t limit) = 0;
};

}  // namespace sluice
