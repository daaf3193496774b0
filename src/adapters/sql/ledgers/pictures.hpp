#pragma once

#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/picture_ledger.hpp"

namespace sluice::ledgers {

class Pictures final : public PictureLedger {
  public:
    /// Pictures whose turn it is, those that wait longest first.
    struct Review {
        std::vector<PictureHash> shown;
        std::vector<PictureHash> unused;
    };

    Pictures(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Outcome<bool>> add(Picture picture, PictureBounds bounds, Deed deed) override;
    Task<std::optional<std::string>> find(PictureName name) override;
    Task<Outcome<Done>> remove(PictureHash hash, Deed deed) override;
    Task<std::size_t> prune(Timestamp now, Timestamp unused_since, std::size_t limit) override;

  private:
    Task<Review> review(Timestamp now, Timestamp unused_since, std::size_t limit);
    Task<std::size_t> carry_out(Review found, Timestamp now, Timestamp unused_since);

    Writer& writer_;
    Readers& readers_;
};

/// Inside the transaction that gives the item its pictures: so none of them is pruned.
void note_pictures_of(Database& database, const Item& item, Timestamp now);

}  // namespace sluice::ledgers
