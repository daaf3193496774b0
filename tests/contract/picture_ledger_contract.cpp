#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"
#include "domain/picture.hpp"

namespace sluice {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;

class PictureLedgerContract : public contract::LedgerContract {
  protected:
    PictureLedger& pictures = ledgers->all().pictures();

    void SetUp() override { add_user(1); }

    static Picture make_picture(unsigned char number) {
        return {.hash = {number},
                .sizes = {{.width = 320, .height = 200, .jpeg = std::string("small\0", 6)},
                          {.width = 640, .height = 400, .jpeg = std::string(300'000, '\xff')}}};
    }
    /// Of user 1, at that time.
    Deed deed_at(Timestamp at) {
        auto deed = make_deed(++deeds_);
        deed.at = at;
        return deed;
    }
    Outcome<bool> add(const Picture& picture, PictureBounds bounds = {}) {
        return run_to_end(pictures.add(picture, bounds, deed_at(now)));
    }
    std::optional<std::string> find(const Picture& picture, std::int64_t width) {
        return run_to_end(pictures.find({picture.hash, width}));
    }
    bool is_there(const Picture& picture) { return find(picture, 320).has_value(); }
    Item show(std::int64_t id, const Picture& picture, bool as_further_one = false) {
        auto item = make_item(id);
        const auto url = address_of({picture.hash, 640});
        if (as_further_one)
            item.pictures = {"/a.png", url};
        else
            item.image_url = url;
        EXPECT_TRUE(run_to_end(ledgers->all().catalog().add_item(item, deed_at(now), {})));
        return item;
    }
    std::size_t prune(std::size_t limit = 9) {
        return run_to_end(pictures.prune(now, now - days{7}, limit));
    }
    std::size_t entries() {
        return run_to_end(ledgers->all().trail().list({.action = "picture"}, 100)).size();
    }

  private:
    std::int64_t deeds_ = 5'000;
};

TEST_P(PictureLedgerContract, KeepsEverySizeAsItIs) {
    const auto picture = make_picture(1);
    EXPECT_EQ(add(picture), true);
    for (const auto& size : picture.sizes) EXPECT_EQ(find(picture, size.width), size.jpeg);
    EXPECT_EQ(find(picture, 321), std::nullopt);
    EXPECT_EQ(find(make_picture(2), 320), std::nullopt);
}

TEST_P(PictureLedgerContract, TheSamePictureIsKeptOnce) {
    const auto picture = make_picture(1);
    auto deed = deed_at(now);
    deed.action = "picture.add";
    EXPECT_EQ(run_to_end(pictures.add(picture, {}, deed)), true);
    EXPECT_EQ(entries(), 1U);
    EXPECT_EQ(add(picture), false);
    EXPECT_EQ(entries(), 1U);
}

TEST_P(PictureLedgerContract, HasBoundsForAllTogether) {
    const auto size = make_picture(1).bytes();
    EXPECT_EQ(add(make_picture(1), {.pictures = 2, .bytes = 2 * size}), true);
    const auto too_large = add(make_picture(2), {.pictures = 2, .bytes = 2 * size - 1});
    ASSERT_FALSE(too_large);
    EXPECT_EQ(too_large.error().detail, Detail::too_many_pictures);
    EXPECT_FALSE(is_there(make_picture(2)));
    EXPECT_EQ(add(make_picture(2), {.pictures = 2, .bytes = 2 * size}), true);
    EXPECT_FALSE(add(make_picture(3), {.pictures = 2, .bytes = 9 * size}));
    EXPECT_EQ(add(make_picture(2), {.pictures = 2, .bytes = 1}), false) << "it is there already";
}

TEST_P(PictureLedgerContract, IsRemovedUnlessAnItemShowsIt) {
    const auto shown = make_picture(1), further = make_picture(2), unused = make_picture(3);
    for (const auto& picture : {shown, further, unused}) EXPECT_EQ(add(picture), true);
    show(1, shown);
    show(2, further, true);
    for (const auto& picture : {shown, further}) {
        const auto refused = run_to_end(pictures.remove(picture.hash, deed_at(now)));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().detail, Detail::picture_in_use);
        EXPECT_TRUE(is_there(picture));
    }
    EXPECT_TRUE(run_to_end(pictures.remove(unused.hash, deed_at(now))));
    EXPECT_FALSE(is_there(unused));
    const auto again = run_to_end(pictures.remove(unused.hash, deed_at(now)));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().reason, Reason::not_found);
    EXPECT_EQ(add(unused), true) << "it may come again";
}

TEST_P(PictureLedgerContract, IsPrunedAWeekAfterItWasUsed) {
    const auto unused = make_picture(1), shown = make_picture(2);
    add(unused);
    add(shown);
    show(1, shown);
    now += days{7};
    EXPECT_EQ(prune(), 0U);
    EXPECT_TRUE(is_there(unused));
    now += milliseconds{1};
    EXPECT_EQ(prune(), 1U);
    EXPECT_FALSE(is_there(unused));
    EXPECT_TRUE(is_there(shown));
    EXPECT_EQ(prune(), 0U);
}

TEST_P(PictureLedgerContract, AnUploadOrAnItemStartsItsWeekAnew) {
    const auto uploaded = make_picture(1), given = make_picture(2), dropped = make_picture(3);
    for (const auto& picture : {uploaded, given, dropped}) add(picture);
    auto item = show(1, dropped);
    now += days{6};
    EXPECT_EQ(add(uploaded), false);
    EXPECT_EQ(prune(), 0U);  // sees what the item shows
    item.image_url = address_of({given.hash, 320});
    item.version += 1;
    EXPECT_TRUE(run_to_end(ledgers->all().catalog().update_item(item, deed_at(now))));
    item.image_url = "";
    item.version += 1;
    EXPECT_TRUE(run_to_end(ledgers->all().catalog().update_item(item, deed_at(now))));
    now += days{7};
    EXPECT_EQ(prune(), 0U);
    for (const auto& picture : {uploaded, given, dropped}) EXPECT_TRUE(is_there(picture));
    now += milliseconds{1};
    EXPECT_EQ(prune(2), 2U);
    EXPECT_EQ(prune(2), 1U);
}

RUN_ON_EVERY_ADAPTER(PictureLedgerContract);

}  // namespace
}  // namespace sluice
