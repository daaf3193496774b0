#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/part.hpp"
#include "adapters/sql/queues.hpp"
#include "base/check.hpp"
#include "domain/refusal.hpp"
#include "support/test_loop.hpp"

namespace sluice::sql {
namespace {

using testing::ElementsAre;

/// The error of a database that has undone the whole transaction, or that found a row wrong.
class FakeError final : public StoreError {
  public:
    explicit FakeError(bool retry) : StoreError(retry ? "deadlock" : "constraint"), retry_(retry) {}

    bool is_outage() const override { return false; }
    bool is_read_only() const override { return false; }
    bool is_retry() const override { return retry_; }

  private:
    const bool retry_;
};

/// Notes the statements that are run, and does nothing.
class FakeDatabase final : public Database {
  public:
    std::vector<std::string> ran;

    void run_script(std::string_view) override {}
    bool in_transaction() const override { return true; }
    Database* archive() override { return nullptr; }
    std::string archive_name() const override { return ""; }
    bool look_again() override { return false; }

  private:
    class FakePrepared final : public Prepared {
      public:
        explicit FakePrepared(FakeDatabase& database) : database_(database) {}

        std::string text_;

        void bind(int, std::nullopt_t) override {}
        void bind(int, std::int64_t) override {}
        void bind(int, std::string_view, Keep) override {}
        void bind(int, Bytes, Keep) override {}
        bool step() override { return false; }
        std::size_t finish() override {
            database_.ran.push_back(text_);
            return 0;
        }
        void reset() noexcept override {}
        bool is_busy() const override { return false; }
        std::string_view sql() const override { return text_; }
        int columns() const override { return 0; }
        bool is_null(int) const override { return true; }
        std::int64_t number(int) const override { return 0; }
        std::string_view text(int) const override { return {}; }
        Bytes bytes(int) const override { return {}; }
        std::string describe(int) const override { return {}; }

      private:
        FakeDatabase& database_;
    };

    Prepared& prepared(std::string_view sql) override {
        prepared_.text_ = sql;
        return prepared_;
    }

    FakePrepared prepared_{*this};
};

TEST(RunAgainTest, APartThatFailsAloneIsUndoneAlone) {
    FakeDatabase database;
    EXPECT_TRUE(run_part(database, [] { throw FakeError(false); }));
    EXPECT_THAT(database.ran, ElementsAre("SAVEPOINT part", "ROLLBACK TO SAVEPOINT part",
                                          "RELEASE SAVEPOINT part"));
}

TEST(RunAgainTest, AfterADeadlockAPartHasNoSavepointToReturnTo) {
    FakeDatabase database;
    EXPECT_THROW(run_part(database, [] { throw FakeError(true); }), FakeError);
    EXPECT_THAT(database.ran, ElementsAre("SAVEPOINT part"));
}

/// Runs what waits on the calling thread, and again as long as it meets a deadlock.
class FakeWriter final : public Writer {
  public:
    FakeWriter() : Writer(8) {}

    int attempts = 0;
    std::vector<bool> kept;

    void run_waiting() {
        const auto jobs = queue_.take(8, std::chrono::milliseconds{0});
        while (!try_all(jobs)) continue;
        for (const auto& job : jobs) job->deliver(nullptr);
    }

  private:
    bool try_all(const Jobs& jobs) {
        ++attempts;
        kept.clear();
        try {
            for (const auto& job : jobs) kept.push_back(job->run(database_));
            return true;
        } catch (const FakeError& error) {
            CHECK(error.is_retry(), "a job throws nothing else");
            return false;
        }
    }

    FakeDatabase database_;
};

TEST(RunAgainTest, EveryJobOfTheTransactionIsRunAgainAndToldOnce) {
    testing_support::TestLoop loop;
    FakeWriter writer;
    int runs = 0;
    std::vector<std::string> told;
    const auto start = [&](std::string name, int deadlock_at) {
        auto task = writer.write<Outcome<std::string>>(
            [&runs, name, deadlock_at](Database&) -> Outcome<std::string> {
                if (++runs == deadlock_at) throw FakeError(true);
                if (runs == 1) return refuse(Reason::conflict);
                return name;
            });
        loop.spawn(std::move(task), [&](std::exception_ptr failure, Outcome<std::string> result) {
            told.push_back(failure ? "failed" : result.value_or("refused"));
        });
    };
    start("first", 0);
    start("second", 2);
    loop.poll();
    writer.run_waiting();
    loop.run();
    EXPECT_EQ(writer.attempts, 2);
    EXPECT_EQ(runs, 4);
    EXPECT_THAT(writer.kept, ElementsAre(true, true));
    EXPECT_THAT(told, ElementsAre("first", "second"));
}

}  // namespace
}  // namespace sluice::sql
