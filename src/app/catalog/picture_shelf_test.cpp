#include "app/catalog/picture_shelf.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Has a picture of ten bytes for each width below a hundred, and answers when the test says so.
class SlowPictures final : public PictureLedger {
  public:
    Task<Outcome<bool>> add(Picture, PictureBounds, Deed) override { co_return false; }
    Task<Outcome<Done>> remove(PictureHash, Deed) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t) override { co_return 0; }
    Task<std::optional<std::string>> find(PictureName name) override {
        ++reads;
        if (is_slow)
            co_await await_completion<Done>(
                [this](Completion<Done> done) { waiting.push_back(std::move(done)); });
        if (is_away) throw Outage("away");
        if (name.width >= 100) co_return std::nullopt;
        co_return std::string(10, 'x');
    }
    void answer() {
        auto all = std::move(waiting);
        for (auto& done : all) done(nullptr, {});
    }

    int reads = 0;
    bool is_slow = false;
    bool is_away = false;
    std::vector<Completion<Done>> waiting;
};

class PictureShelfTest : public testing::Test {
  protected:
    static PictureName name(std::int64_t width, unsigned char hash = 1) { return {{hash}, width}; }
    PictureShelf::Jpeg find(std::int64_t width) { return run_to_end(shelf.find(name(width))); }

    testing_support::ManualClock clock;
    SlowPictures ledger;
    PictureShelf shelf{ledger, clock, 25};
};

TEST_F(PictureShelfTest, ReadsAPictureOnce) {
    EXPECT_EQ(shelf.peek(name(1)), nullptr);
    EXPECT_EQ(*find(1), "xxxxxxxxxx");
    EXPECT_EQ(*shelf.peek(name(1)), "xxxxxxxxxx");
    EXPECT_EQ(ledger.reads, 1);
    EXPECT_EQ(find(100), nullptr);
    EXPECT_EQ(shelf.bytes(), 10U);
}

TEST_F(PictureShelfTest, KeepsThoseThatWereAskedForLast) {
    find(1);
    find(2);
    EXPECT_NE(shelf.peek(name(1)), nullptr);
    find(3);
    EXPECT_NE(shelf.peek(name(1)), nullptr);
    EXPECT_EQ(shelf.peek(name(2)), nullptr);
    EXPECT_EQ(shelf.bytes(), 20U);
}

TEST_F(PictureShelfTest, ReadsAgainAfterSomeTime) {
    find(1);
    clock.move(PictureShelf::kLife - 1ms);
    EXPECT_NE(shelf.peek(name(1)), nullptr);
    clock.move(1ms);
    EXPECT_EQ(shelf.peek(name(1)), nullptr);
    EXPECT_EQ(shelf.bytes(), 0U);
}

TEST_F(PictureShelfTest, ForgetsAllSizesOfAPicture) {
    find(1);
    run_to_end(shelf.find(name(1, 2)));
    shelf.forget(name(0).hash);
    EXPECT_EQ(shelf.peek(name(1)), nullptr);
    EXPECT_NE(shelf.peek(name(1, 2)), nullptr);
    EXPECT_EQ(shelf.bytes(), 10U);
}

TEST_F(PictureShelfTest, EverybodyWaitsForTheSameRead) {
    ledger.is_slow = true;
    testing_support::TestLoop loop;
    std::vector<PictureShelf::Jpeg> found;
    for (int i = 0; i < 3; ++i)
        loop.spawn(shelf.find(name(1)),
                   [&](const std::exception_ptr& failure, const PictureShelf::Jpeg& jpeg) {
                       EXPECT_FALSE(failure);
                       found.push_back(jpeg);
                   });
    loop.poll();
    EXPECT_EQ(ledger.reads, 1);
    ledger.answer();
    loop.run();
    ASSERT_EQ(found.size(), 3U);
    for (const auto& jpeg : found) EXPECT_EQ(jpeg, found[0]);
    EXPECT_EQ(ledger.reads, 1);
}

TEST_F(PictureShelfTest, AnOutageIsToldAndNotKept) {
    ledger.is_away = true;
    EXPECT_THROW(find(1), Outage);
    ledger.is_away = false;
    EXPECT_NE(find(1), nullptr);
}

TEST_F(PictureShelfTest, AFloodOfUnknownOnesIsNotAFloodOfReads) {
    for (int i = 0; i < PictureShelf::kMostReadsInSecond; ++i) EXPECT_EQ(find(100 + i), nullptr);
    EXPECT_THROW(find(99), Overload);
    EXPECT_EQ(ledger.reads, PictureShelf::kMostReadsInSecond);
    clock.move(1s);
    EXPECT_NE(find(99), nullptr);
}

}  // namespace
}  // namespace sluice
