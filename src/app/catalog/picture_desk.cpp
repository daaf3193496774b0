#include "app/catalog/picture_desk.hpp"

#include <expected>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/names.hpp"
#include "base/run_on.hpp"
#include "picture/codec/sizes.hpp"

namespace sluice {
namespace {

constexpr Names<PictureKind::png> kPictureKinds({{PictureKind::jpeg, "JPEG"},
                                                 {PictureKind::png, "PNG"}});

Rule rule_broken_by(PictureFlaw flaw) {
    switch (flaw) {
        case PictureFlaw::no_picture:
            return Rule::picture_unknown;
        case PictureFlaw::broken:
            return Rule::picture_broken;
        case PictureFlaw::colours:
            return Rule::picture_colours;
        case PictureFlaw::too_complex:
            return Rule::picture_too_complex;
    }
    CHECK(false, "a flaw is one of the enum");
}

std::unexpected<Refusal> refuse_picture(Complaint complaint) {
    return refuse({{"picture", std::move(complaint)}});
}

using MadePicture = std::expected<Picture, PictureFlaw>;

MadePicture make_picture(std::string_view file, const PictureHead& head) {
    const SizeBounds sizes{.box = {kPictureWidths.back(), kMostPictureHeight},
                           .widths = kPictureWidths,
                           .most_bytes = kMostSizeBytes};
    auto made = make_sizes(file, head, sizes);
    if (!made) return std::unexpected(made.error());
    Picture picture{.hash = hash_picture(file), .sizes = {}};
    for (auto& [extent, jpeg] : *made)
        picture.sizes.push_back({.width = static_cast<std::int64_t>(extent.width),
                                 .height = static_cast<std::int64_t>(extent.height),
                                 .jpeg = std::move(jpeg)});
    return picture;
}

std::string details_of(const Picture& picture) {
    return boost::json::serialize(
        boost::json::object{{"image_url", address_of({picture.hash, picture.sizes.back().width})}});
}

}  // namespace

PictureDesk::PictureDesk(PictureLedger& ledger, PictureShelf& shelf, const Clock& clock,
                         IdSource& ids, Options options)
    : ledger_(ledger),
      shelf_(shelf),
      clock_(clock),
      ids_(ids),
      options_(options),
      threads_("pictures", options.threads, options.backlog) {}

Outcome<PictureHead> PictureDesk::judge(std::string_view file, PictureKind kind) {
    const auto head = read_picture_head(file);
    if (!head) return refuse_picture(rule_broken_by(head.error()));
    if (head->kind != kind)
        return refuse_picture({Rule::picture_of_other_type, kPictureKinds.text(head->kind)});
    if (auto wrong = check_picture_extent(head->width, head->height))
        return refuse_picture(std::move(*wrong));
    return *head;
}

Task<Outcome<PictureDesk::Taken>> PictureDesk::take(std::string_view file, PictureHead head,
                                                    Actor actor) {
    auto made = co_await run_on<MadePicture>(threads_, "too many pictures wait to be read",
                                             [file, head] { return make_picture(file, head); });
    if (!made) co_return refuse_picture(rule_broken_by(made.error()));
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "picture.add", to_hex(made->hash), "",
                          details_of(*made));
    const auto added = co_await ledger_.add(*made, options_.bounds, std::move(deed));
    if (!added) co_return std::unexpected(added.error());
    co_return Taken{std::move(*made), *added};
}

Task<Outcome<Done>> PictureDesk::remove(PictureHash hash, Actor actor) {
    const auto now = clock_.now();
    auto deed =
        make_deed(actor, DeedId{ids_.next(now)}, now, "picture.remove", to_hex(hash), "", "");
    auto removed = co_await ledger_.remove(hash, std::move(deed));
    shelf_.forget(hash);
    co_return removed;
}

}  // namespace sluice
