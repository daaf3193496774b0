#include "base/fair_threads.hpp"

#include <future>

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// One thread, stopped until all jobs are there, so that the order does not depend on chance.
class FairThreadsTest : public testing::Test {
  protected:
    static constexpr std::size_t kLanes = 3;
    static constexpr std::size_t kBacklog = 4;

    void SetUp() override {
        std::promise<void> begun;
        threads_->submit({0, 0}, [&](bool) {
            begun.set_value();
            opened_.wait();
        });
        begun.get_future().wait();
    }
    void submit(std::size_t lane, std::uint64_t party, std::string name) {
        threads_->submit({lane, party}, [this, name = std::move(name)](bool has_place) {
            (has_place ? done : displaced) += name + " ";
        });
    }
    void finish() {
        gate_.set_value();
        threads_.reset();
    }

    std::string done, displaced;

  private:
    std::promise<void> gate_;
    std::shared_future<void> opened_ = gate_.get_future().share();

  protected:
    std::optional<FairThreads> threads_{std::in_place, "test", 1, kLanes, kBacklog};
};

TEST_F(FairThreadsTest, LanesAreServedInTurn) {
    for (const char* name : {"a1", "a2", "a3"}) submit(0, 1, name);
    submit(1, 1, "b1");
    submit(2, 1, "c1");
    submit(2, 1, "c2");
    finish();
    EXPECT_EQ(done, "b1 c1 a1 c2 a2 a3 ");
    EXPECT_EQ(displaced, "");
}

TEST_F(FairThreadsTest, PartiesOfALaneAreServedInTurn) {
    for (const char* name : {"a1", "a2", "a3"}) submit(2, 1, name);
    submit(2, 2, "b1");
    finish();
    EXPECT_EQ(done, "a1 b1 a2 a3 ");
}

TEST_F(FairThreadsTest, WhoeverHasTheMostLosesTheLatest) {
    for (const char* name : {"a1", "a2", "a3", "a4", "a5"}) submit(2, 1, name);
    EXPECT_EQ(displaced, "a5 ") << "nobody has more than the newcomer";
    submit(2, 2, "b1");
    EXPECT_EQ(displaced, "a5 a4 ");
    submit(2, 2, "b2");
    EXPECT_EQ(displaced, "a5 a4 a3 ");
    submit(2, 2, "b3");
    EXPECT_EQ(displaced, "a5 a4 a3 b3 ") << "two each: both are as greedy";
    submit(1, 2, "c1");
    EXPECT_EQ(threads_->waiting(2), kBacklog);
    EXPECT_EQ(threads_->waiting(1), 1u) << "a full lane takes nothing from others";
    finish();
    EXPECT_EQ(done, "c1 a1 b1 a2 b2 ");
}

TEST(FairThreads, FinishesWhatWaits) {
    int done = 0;
    {
        FairThreads threads("test", 1, 2, 100);
        for (int i = 0; i < 50; ++i)
            threads.submit({static_cast<std::size_t>(i % 2), 0}, [&](bool run) { done += run; });
    }
    EXPECT_EQ(done, 50);
}

}  // namespace
}  // namespace sluice
