#include "domain/item.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

ItemDraft good() {
    ItemDraft wish;
    wish.title = "Tea set";
    wish.list_price_cents = 29'900;
    wish.currency = "CNY";
    return wish;
}

TEST(Item, NeedsATitleAPriceAndACurrency) {
    EXPECT_TRUE(create_item(good(), ItemId{1}, {}));
    const auto refused = create_item({}, ItemId{1}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().errors.size(), 3u);
}

TEST(Item, RefusesBadFields) {
    const auto passes = [](auto change) {
        auto wish = good();
        change(wish);
        return create_item(wish, ItemId{1}, {}).has_value();
    };
    EXPECT_FALSE(passes([](ItemDraft& w) { w.title = ""; }));
    EXPECT_TRUE(passes([](ItemDraft& w) { w.title = std::string(200, 'x'); }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.title = std::string(201, 'x'); }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.title = "a\nb"; }));
    EXPECT_TRUE(passes([](ItemDraft& w) { w.description = "a\nb"; }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.description = std::string("a\0b", 3); }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.list_price_cents = -1; }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.currency = "cny"; }));
    EXPECT_FALSE(passes([](ItemDraft& w) { w.currency = "RMBX"; }));
    for (const char* url : {"", "/assets/a.svg", "https://shop.example/a.png", "http://a/b"})
        EXPECT_TRUE(passes([&](ItemDraft& w) { w.image_url = url; })) << url;
    for (const char* url : {"javascript:alert(1)", "//evil.example/x", "data:image/png;base64,AA",
                            "a.png", "https://a/\"onerror=", "/a b"})
        EXPECT_FALSE(passes([&](ItemDraft& w) { w.image_url = url; })) << url;
}

TEST(Item, HasACategoryAndFurtherPictures) {
    const auto with = [](std::vector<std::string> pictures, std::string category = "") {
        auto wish = good();
        wish.pictures = std::move(pictures);
        wish.category = std::move(category);
        return create_item(wish, ItemId{1}, {});
    };
    const auto item = with({"/a.png", "https://shop.example/b.png"}, " 茶具 ");
    ASSERT_TRUE(item);
    EXPECT_EQ(item->category, "茶具");
    EXPECT_EQ(item->pictures.size(), 2u);
    EXPECT_FALSE(with({""}));
    EXPECT_FALSE(with({"javascript:alert(1)"}));
    EXPECT_FALSE(with({"/a.png", "/a.png"}));
    EXPECT_FALSE(with({"/" + std::string(2'000, 'x')}));
    EXPECT_FALSE(with({}, std::string(41, 'x')));
    EXPECT_FALSE(with({}, "a\nb"));
    std::vector<std::string> eight;
    for (int i = 0; i < 8; ++i) eight.push_back("/" + std::to_string(i));
    EXPECT_TRUE(with(eight, std::string(40, 'x')));
    eight.emplace_back("/8");
    EXPECT_FALSE(with(eight));

    ItemDraft fewer;
    fewer.pictures = std::vector<std::string>{};
    const auto edited = edit_item(*item, fewer, true);
    EXPECT_TRUE(edited->pictures.empty());
    EXPECT_EQ(edited->category, "茶具");
    EXPECT_EQ(edited->version, 2);
}

TEST(Item, IsArchivedAndBroughtBackOnce) {
    const auto item = *create_item(good(), ItemId{1}, {});
    const auto archived = archive_item(item);
    EXPECT_TRUE(archived.archived);
    EXPECT_EQ(archived.version, 2);
    EXPECT_EQ(archive_item(archived), archived);
    const auto restored = restore_item(archived);
    EXPECT_FALSE(restored.archived);
    EXPECT_EQ(restored.version, 3);
    EXPECT_EQ(restore_item(restored), restored);
}

TEST(Item, TitlesAreCountedInCharacters) {
    std::string title;
    for (int i = 0; i < 200; ++i) title += "茶";
    auto wish = good();
    wish.title = title;
    EXPECT_TRUE(create_item(wish, ItemId{1}, {}));
}

TEST(Item, KeepsItsCurrencyOnceOnSale) {
    const auto item = *create_item(good(), ItemId{1}, {});
    ItemDraft wish;
    wish.currency = "EUR";
    EXPECT_TRUE(edit_item(item, wish, false));
    EXPECT_FALSE(edit_item(item, wish, true));
    wish.currency = "CNY";
    EXPECT_TRUE(edit_item(item, wish, true));
}

TEST(Item, HasANewVersionOnlyWhenSomethingChanged) {
    const auto item = *create_item(good(), ItemId{1}, {});
    EXPECT_EQ(edit_item(item, {}, true), item);
    EXPECT_EQ(edit_item(item, good(), true), item);
    ItemDraft wish;
    wish.description = "another";
    EXPECT_EQ(edit_item(item, wish, true)->version, 2);
}

}  // namespace
}  // namespace sluice
