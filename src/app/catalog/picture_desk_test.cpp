#include "app/catalog/picture_desk.hpp"

#include <gtest/gtest.h>

#include "base/encoding.hpp"
#include "base/id_source.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/sample_pictures.hpp"

namespace sluice {
namespace {

using namespace testing_support;

class NotedPictures final : public PictureLedger {
  public:
    Task<Outcome<bool>> add(Picture picture, PictureBounds, Deed deed) override {
        added.push_back(std::move(picture));
        deeds.push_back(std::move(deed));
        if (is_full) co_return refuse(Reason::conflict, Detail::too_many_pictures);
        co_return added.size() == 1;
    }
    Task<std::optional<std::string>> find(PictureName) override { co_return "x"; }
    Task<Outcome<Done>> remove(PictureHash, Deed deed) override {
        deeds.push_back(std::move(deed));
        co_return Done{};
    }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t) override { co_return 0; }

    bool is_full = false;
    std::vector<Picture> added;
    std::vector<Deed> deeds;
};

class PictureDeskTest : public testing::Test {
  protected:
    Outcome<PictureDesk::Taken> take(const std::string& file) {
        const auto head = PictureDesk::judge(file, read_picture_head(file)->kind);
        if (!head) return std::unexpected(head.error());
        return run_to_end(desk.take(file, *head, {UserId{7}, "192.0.2.1", "r"}));
    }
    static Rule rule_of(const Refusal& refusal) {
        EXPECT_EQ(refusal.reason, Reason::invalid);
        EXPECT_EQ(refusal.errors.at(0).field, "picture");
        return refusal.errors.at(0).complaint.rule;
    }

    ManualClock clock;
    IdSource ids{1};
    NotedPictures ledger;
    PictureShelf shelf{ledger, clock};
    PictureDesk desk{ledger, shelf, clock, ids, {}};
};

TEST_F(PictureDeskTest, KeepsThreeSizesAndTellsTheTrail) {
    const auto file = sample_jpeg({.width = 2000, .height = 1000});
    const auto taken = take(file);
    ASSERT_TRUE(taken);
    EXPECT_TRUE(taken->is_new);
    const auto& picture = ledger.added.at(0);
    EXPECT_EQ(picture.hash, hash_picture(file));
    std::vector<std::int64_t> widths;
    for (const auto& size : picture.sizes) widths.push_back(size.width);
    EXPECT_EQ(widths, (std::vector<std::int64_t>{320, 640, 1280}));
    EXPECT_EQ(picture.sizes.back().height, 640);
    const auto& deed = ledger.deeds.at(0);
    EXPECT_EQ(deed.action, "picture.add");
    EXPECT_EQ(deed.subject, to_hex(picture.hash));
    EXPECT_EQ(deed.after, "{\"image_url\":\"" + address_of({picture.hash, 1280}) + "\"}");
    EXPECT_FALSE(take(file)->is_new);
}

TEST_F(PictureDeskTest, JudgesTheHeadBeforeAnyPixel) {
    const auto judge = [](const std::string& file, PictureKind kind) {
        const auto head = PictureDesk::judge(file, kind);
        return head ? std::nullopt : std::optional(rule_of(head.error()));
    };
    const auto png = sample_png({}), jpeg = sample_jpeg({});
    EXPECT_EQ(judge(png, PictureKind::png), std::nullopt);
    EXPECT_EQ(judge(png, PictureKind::jpeg), Rule::picture_of_other_type);
    EXPECT_EQ(judge(jpeg, PictureKind::png), Rule::picture_of_other_type);
    EXPECT_EQ(judge("GIF89a", PictureKind::png), Rule::picture_unknown);
    EXPECT_EQ(judge("", PictureKind::jpeg), Rule::picture_unknown);
    for (const auto& file : {png, jpeg}) {
        const auto kind = file == png ? PictureKind::png : PictureKind::jpeg;
        EXPECT_EQ(judge(with_extent(file, 30'000, 30'000), kind), Rule::picture_too_large);
        EXPECT_EQ(judge(with_extent(file, 6'000, 6'000), kind), Rule::picture_too_large);
        EXPECT_EQ(judge(with_extent(file, 8'000, 4'000), kind), std::nullopt);
    }
}

TEST_F(PictureDeskTest, SaysWhatIsWrongWithThePixels) {
    const auto jpeg = sample_jpeg({});
    EXPECT_EQ(rule_of(take(jpeg.substr(0, jpeg.size() - 9)).error()), Rule::picture_broken);
    EXPECT_EQ(rule_of(take(sample_jpeg({.colours = JpegColours::cmyk})).error()),
              Rule::picture_colours);
    EXPECT_EQ(rule_of(take(sample_jpeg({.progressive = true, .scans = 120})).error()),
              Rule::picture_too_complex);
    EXPECT_TRUE(ledger.added.empty());
    ledger.is_full = true;
    EXPECT_EQ(take(jpeg).error().detail, Detail::too_many_pictures);
}

TEST_F(PictureDeskTest, ForgetsWhatIsRemoved) {
    const PictureName name{{1}, 320};
    run_to_end(shelf.find(name));
    EXPECT_TRUE(run_to_end(desk.remove(name.hash, {UserId{7}, "", ""})));
    EXPECT_EQ(shelf.peek(name), nullptr);
    EXPECT_EQ(ledger.deeds.at(0).action, "picture.remove");
}

}  // namespace
}  // namespace sluice
