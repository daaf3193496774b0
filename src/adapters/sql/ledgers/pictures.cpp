#include "adapters/sql/ledgers/pictures.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {
namespace {

/// What items show is noted again after so long: a write for each picture a day at most.
constexpr std::chrono::days kNotedEach{1};
constexpr std::size_t kReviewed = 500;  // at once

struct KeptPictures {
    std::int64_t pictures = 0;
    std::int64_t bytes = 0;
};
struct UsedPicture {
    PictureHash hash{};
    Timestamp at;
};
struct ShownPictures {
    std::string image_url;
    std::string pictures;
};

Outcome<bool> add_picture(Database& database, const Picture& picture, const PictureBounds& bounds,
                          const Deed& deed) {
    if (database.has_row(sql::find_picture, picture.hash)) {
        database.run(sql::use_picture, picture.hash, deed.at);
        return false;
    }
    const auto kept = database.value<KeptPictures>(sql::count_pictures);
    if (kept.pictures >= bounds.pictures || kept.bytes + picture.bytes() > bounds.bytes)
        return refuse(Reason::conflict, Detail::too_many_pictures);
    database.run(sql::add_picture, picture.hash, picture.bytes(), deed.at);
    for (const auto& size : picture.sizes)
        database.run(sql::add_picture_size, picture.hash, size.width, size.height,
                     bytes_of(size.jpeg));
    add_deed(database, deed);
    return true;
}

std::set<PictureHash> find_shown_pictures(Database& database) {
    std::set<PictureHash> all;
    for (const auto& [image_url, pictures] :
         database.rows<ShownPictures>(sql::list_item_pictures)) {
        const auto some = pictures_shown(image_url, split_lines(pictures));
        all.insert(some.begin(), some.end());
    }
    return all;
}

std::size_t remove_unused(Database& database, const PictureHash& hash, Timestamp unused_since) {
    database.run(sql::remove_picture_sizes, hash, unused_since);
    return database.run(sql::remove_picture, hash, unused_since);
}

Pictures::Review review_pictures(Database& database, Timestamp now, Timestamp unused_since,
                                 std::size_t limit) {
    Pictures::Review found;
    const auto due =
        database.rows<UsedPicture>(sql::list_pictures_by_use, now - kNotedEach, kReviewed)
            .to_vector();
    if (due.empty()) return found;
    const auto shown = find_shown_pictures(database);
    for (const auto& [hash, at] : due) {
        if (shown.contains(hash))
            found.shown.push_back(hash);
        else if (at < unused_since && found.unused.size() < limit)
            found.unused.push_back(hash);
    }
    return found;
}

}  // namespace

Task<Outcome<bool>> Pictures::add(Picture picture, PictureBounds bounds, Deed deed) {
    return writer_.write<Outcome<bool>>(
        [picture = std::move(picture), bounds, deed = std::move(deed)](Database& database) {
            return add_picture(database, picture, bounds, deed);
        });
}

Task<std::optional<std::string>> Pictures::find(PictureName name) {
    return readers_.read<std::optional<std::string>>([name](Database& database) {
        const auto jpeg = database.row<Blob>(sql::find_picture_size, name.hash, name.width);
        return jpeg.transform(
            [](const Blob& bytes) { return std::string(bytes.begin(), bytes.end()); });
    });
}

Task<Outcome<Done>> Pictures::remove(PictureHash hash, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [hash, deed = std::move(deed)](Database& database) -> Outcome<Done> {
            if (!database.has_row(sql::find_picture, hash)) return refuse(Reason::not_found);
            if (find_shown_pictures(database).contains(hash))
                return refuse(Reason::conflict, Detail::picture_in_use);
            remove_unused(database, hash, Timestamp::max());
            add_deed(database, deed);
            return Done{};
        });
}

Task<std::size_t> Pictures::prune(Timestamp now, Timestamp unused_since, std::size_t limit) {
    auto found = co_await review(now, unused_since, limit);
    if (found.shown.empty() && found.unused.empty()) co_return 0;
    const auto removed = co_await carry_out(std::move(found), now, unused_since);
    co_return removed;
}

Task<Pictures::Review> Pictures::review(Timestamp now, Timestamp unused_since, std::size_t limit) {
    return readers_.read<Review>(
        [=](Database& database) { return review_pictures(database, now, unused_since, limit); });
}

Task<std::size_t> Pictures::carry_out(Review found, Timestamp now, Timestamp unused_since) {
    return writer_.write<std::size_t>([=, found = std::move(found)](Database& database) {
        for (const auto& hash : found.shown) database.run(sql::use_picture, hash, now);
        std::size_t removed = 0;
        for (const auto& hash : found.unused)
            removed += remove_unused(database, hash, unused_since);
        return removed;
    });
}

void note_pictures_of(Database& database, const Item& item, Timestamp now) {
    for (const auto& hash : pictures_shown(item.image_url, item.pictures))
        database.run(sql::use_picture, hash, now);
}

}  // namespace sluice::ledgers
