#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/alert_desk.hpp"
#include "app/catalog.hpp"
#include "app/factor_watch.hpp"
#include "base/task.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Looks again and again at what operators are to hear of, and tells the desk.
class AlertWatch {
  public:
    struct Part {
        std::string name;
        bool is_ready = true;
        std::string detail;  // if it is ready: what is wrong with it all the same, or nothing
    };
    struct Answers {
        std::uint64_t all = 0;
        std::uint64_t failed = 0;  // by us: 5xx
    };
    struct Backups {
        std::chrono::seconds every;
        std::optional<Timestamp> newest;
    };
    /// What is looked at. Counts are since the start of the process.
    struct Sources {
        std::function<std::vector<Part>()> parts;  // of readiness
        std::function<std::string()> clock;        // what is wrong with the time, or nothing
        std::function<Answers()> answers;
        std::function<std::uint64_t()> drifts;
        std::function<std::uint64_t()> given_up;          // deliveries to webhooks
        std::function<std::optional<Backups>()> backups;  // nullopt: none are taken here
        std::function<std::vector<FactorWatch::Guessed>()> guessed_factors;  // since the last look
    };

    static constexpr std::chrono::seconds kPace{2};
    /// Requests are judged over so long, and not before so many have failed.
    static constexpr std::chrono::seconds kWindow{60};
    static constexpr std::uint64_t kFewFailures = 10;
    /// Of the time between two backups: one that is older is too old.
    static constexpr int kBackupsMissed = 3;

    AlertWatch(AlertDesk& desk, const Catalog& catalog, Sources sources, unsigned errors_percent,
               const Clock& clock);

    Task<> look();

  private:
    struct Sample {
        Timestamp at;
        Answers answers;
    };

    void look_at_parts();
    void look_at_answers(Timestamp now);
    void look_at_counts();
    void look_at_backups(Timestamp now);
    void look_at_factors();
    void look_at_sales(Timestamp now);

    AlertDesk& desk_;
    const Catalog& catalog_;
    const Sources sources_;
    const unsigned errors_percent_;
    const Clock& clock_;
    const Timestamp started_at_;

    std::deque<Sample> samples_;  // the oldest is at the begin of the window
    std::uint64_t drifts_;
    std::uint64_t given_up_;
    std::set<SaleId> sold_out_;
    bool has_seen_sales_ = false;  // what was sold out before is no news
};

}  // namespace sluice
