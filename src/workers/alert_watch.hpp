#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/accounts/factor_watch.hpp"
#include "app/alerts/alert_desk.hpp"
#include "app/catalog/catalog.hpp"
#include "base/task.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Looks repeatedly at everything that operators should be alerted of, and reports it to the desk.
class AlertWatch {
  public:
    struct Part {
        std::string name;
        bool is_ready = true;
        std::string detail;  // complaints of a part that is ready, or nothing
    };
    struct Answers {
        std::uint64_t all = 0;
        std::uint64_t failed = 0;  // by us: 5xx
    };
    struct Backups {
        std::chrono::seconds every;
        std::optional<Timestamp> newest;
    };
    /// Of a cluster with a broker.
    struct Queue {
        std::optional<std::chrono::milliseconds> oldest;  // how long its oldest ticket has waited
        std::chrono::milliseconds promised;               // what buyers are told at most
        std::int64_t parked = 0;
        std::uint64_t unconfirmed = 0;
        std::uint64_t redelivered = 0;
    };
    /// What is looked at. Counts are since the start of the process.
    struct Sources {
        std::function<std::vector<Part>()> parts;  // of readiness
        std::function<std::string()> clock;        // what is wrong with the time, or nothing
        std::function<Answers()> answers;
        std::function<std::uint64_t()> drifts;
        std::function<std::uint64_t()> given_up;          // deliveries to webhooks
        std::function<std::optional<Backups>()> backups;  // nullopt: none are taken here
        std::function<std::optional<Queue>()> queue;      // nullopt: there is no broker
        std::function<std::vector<FactorWatch::Guessed>()> guessed_factors;  // since the last look
    };

    static constexpr std::chrono::seconds kPace{2};
    /// Requests are judged over this time, and only if at least so many have failed.
    static constexpr std::chrono::seconds kWindow{60};
    static constexpr std::uint64_t kFewFailures = 10;
    /// How many times the interval of backups the newest may be old.
    static constexpr int kBackupsMissed = 3;
    /// Of the time that buyers are told: a ticket that waits longer is late.
    static constexpr int kLate = 3;
    /// Within kWindow. Some come again whenever a writer ends.
    static constexpr std::uint64_t kManyRedelivered = 100;

    AlertWatch(AlertDesk& desk, const Catalog& catalog, Sources sources, unsigned errors_percent,
               const Clock& clock);

    Task<> look();

  private:
    struct Sample {
        Timestamp at;
        Answers answers;
    };

    /// A counter that grows too fast.
    class Growth {
      public:
        /// Whether it has grown by `bad` or more within this kWindow, or the one before.
        bool is_bad(std::uint64_t count, std::uint64_t bad, Timestamp now);

      private:
        std::optional<Timestamp> began_;
        std::uint64_t count_ = 0;  // when the window began
        bool was_bad_ = false;     // in the window before
    };

    void look_at_parts();
    void look_at_answers(Timestamp now);
    void look_at_counts();
    void look_at_backups(Timestamp now);
    void look_at_queue(Timestamp now);
    void look_at_factors();
    void look_at_sales(Timestamp now);

    AlertDesk& desk_;
    const Catalog& catalog_;
    const Sources sources_;
    const unsigned errors_percent_;
    const Clock& clock_;
    const Timestamp started_at_;

    std::deque<Sample> samples_;  // the oldest is at the beginning of the window
    std::uint64_t drifts_;
    std::uint64_t given_up_;
    Growth unconfirmed_;
    Growth redelivered_;
    std::set<SaleId> sold_out_;
    bool has_seen_sales_ = false;  // what was sold out before is not reported
};

}  // namespace sluice
