// Codes that are out, kept by one process and shared by two nodes.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "adapters/redis/redis_code_box.hpp"
#include "app/accounts/local_code_box.hpp"
#include "app/accounts/phone_codes.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using enum CodePurpose;

constexpr auto kPhone = "+8613712345678";
constexpr CodeBearer kOwner{.name = 1};

class TwoBoxes {
  public:
    virtual ~TwoBoxes() = default;
    virtual CodeBox& first() = 0;
    virtual CodeBox& second() = 0;
};

class OneProcess final : public TwoBoxes {
  public:
    explicit OneProcess(const Clock& clock) : box_(clock) {}
    CodeBox& first() override { return box_; }
    CodeBox& second() override { return box_; }

  private:
    LocalCodeBox box_;
};

class TwoNodes final : public TwoBoxes {
  public:
    explicit TwoNodes(const Clock& clock)
        : first_(one_.client(), clock), second_(two_.client(), clock) {}
    CodeBox& first() override { return first_; }
    CodeBox& second() override { return second_; }

  private:
    const redis::Options options_ = testing_support::RedisServer::shared().options();
    testing_support::RedisNode one_{options_}, two_{options_};
    redis::RedisCodeBox first_, second_;
};

struct BoxMaker {
    const char* name;
    std::unique_ptr<TwoBoxes> (*make)(const Clock&);
};

template <class Boxes>
BoxMaker maker(const char* name) {
    return {name, [](const Clock& clock) -> std::unique_ptr<TwoBoxes> {
                return std::make_unique<Boxes>(clock);
            }};
}

class CodeBoxContract : public testing::TestWithParam<BoxMaker> {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    const std::unique_ptr<TwoBoxes> boxes = GetParam().make(clock);
    PhoneCodes here{PhoneCodes::Key{1}, boxes->first(), clock, random};
    PhoneCodes there{PhoneCodes::Key{1}, boxes->second(), clock, random};

    static bool redeem(PhoneCodes& codes, const std::string& code) {
        return run_to_end(codes.redeem(registration, kPhone, kOwner, code));
    }
    static std::string issue(PhoneCodes& codes) {
        return run_to_end(codes.issue(registration, kPhone, kOwner));
    }
    static std::string another(std::string code) {
        code.back() = code.back() == '0' ? '1' : '0';
        return code;
    }
};

TEST_P(CodeBoxContract, OfTwoChangesAtOnceOneIsMade) {
    auto& first = boxes->first();
    auto& second = boxes->second();
    const auto until = clock.now() + 10min;
    EXPECT_FALSE(run_to_end(first.read("a")));
    EXPECT_TRUE(run_to_end(first.replace("a", std::nullopt, "one", until)));
    EXPECT_FALSE(run_to_end(second.replace("a", std::nullopt, "two", until)));
    EXPECT_EQ(run_to_end(second.read("a")), "one");
    EXPECT_TRUE(run_to_end(second.replace("a", "one", "two", until)));
    EXPECT_FALSE(run_to_end(first.replace("a", "one", "three", until)));
    EXPECT_EQ(run_to_end(first.read("a")), "two");
    EXPECT_FALSE(run_to_end(first.replace("b", "one", "two", until))) << "nothing is there";
    EXPECT_TRUE(run_to_end(first.replace("b", std::nullopt, "", until)));
    EXPECT_EQ(run_to_end(second.read("b")), "");
    EXPECT_TRUE(run_to_end(second.replace("b", "", "again", until)));
}

TEST_P(CodeBoxContract, ACodeSentHereIsShownThereAndCountsOnce) {
    const auto code = issue(here);
    EXPECT_TRUE(redeem(there, code));
    EXPECT_FALSE(redeem(here, code));
    run_to_end(there.give_back(registration, kPhone, code));
    EXPECT_TRUE(redeem(here, code));
}

TEST_P(CodeBoxContract, WhoAsksAgainElsewhereGetsTheSameCode) {
    const auto code = issue(here);
    EXPECT_EQ(issue(there), code);
}

TEST_P(CodeBoxContract, TriesAreCountedOverAllNodes) {
    const auto code = issue(here);
    for (int i = 0; i < PhoneCodes::kTries; ++i)
        EXPECT_FALSE(redeem(i % 2 == 0 ? here : there, another(code)));
    EXPECT_FALSE(redeem(here, code));
    EXPECT_FALSE(redeem(there, code));
    EXPECT_NE(issue(there), code) << "whoever has no tries left gets another";
}

TEST_P(CodeBoxContract, SeatsOfNetworksAndDevicesAreKept) {
    const CodeBearer device{.name = 2, .is_device = true};
    const CodeBearer stranger{.name = 3};
    const auto code = issue(here);
    run_to_end(there.expect(registration, kPhone, device));
    for (int i = 0; i < PhoneCodes::kTries; ++i)
        run_to_end(here.redeem(registration, kPhone, stranger, another(code)));
    EXPECT_FALSE(run_to_end(there.redeem(registration, kPhone, stranger, code)));
    EXPECT_TRUE(run_to_end(there.redeem(registration, kPhone, device, code)));
}

TEST_P(CodeBoxContract, ItIsGoodForTenMinutes) {
    const auto code = issue(here);
    clock.move(PhoneCodes::kLife);
    EXPECT_FALSE(redeem(there, code));
}

INSTANTIATE_TEST_SUITE_P(Boxes, CodeBoxContract,
                         testing::Values(maker<OneProcess>("Memory"), maker<TwoNodes>("Redis")),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(RedisCodeBox, NothingStaysForEver) {
    testing_support::ManualClock clock;
    testing_support::RedisNode node{testing_support::RedisServer::shared().options()};
    redis::RedisCodeBox box{node.client(), clock};
    run_to_end(box.replace("a", std::nullopt, "one", clock.now() + 10min));
    const auto name = redis::Keys(node.client().options().prefix).code("a");
    const auto left = node.ask({"PTTL", name}).view().number();
    EXPECT_GT(left, 0);
    EXPECT_LE(left, 600'000);
}

}  // namespace
}  // namespace sluice
