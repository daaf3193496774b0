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
    /// What is watched. Counts are since the start of the process.
    struct Sources {
        std::function<std::vector<Part>()> parts;  // of readiness
        std::function<std::string()> clock;        // what is wrong with the time, or nothing
        std::function<Answers()> answers;
        std::function<std::uint64_t()> drifts;
        std::function<std::uint64_t()> given_up;          // deliveries to webhooks
        std::function<std::optional<Backups>()> backups;  // nullopt: no backups are taken here
    };

    static constexpr std::chrono::seconds kPace{2};
    /// Requests are judged over this time, and only if at least so many have failed.
    static constexpr std::chrono::seconds kWindow{60};
    static constexpr std::uint64_t kFewFailures = 10;
    /// How many times the interval of backups the newest may be old.
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
    std::set<SaleId> sold_out_;
    bool has_seen_sales_ = false;  // what was sold out before is not reported
};

}  // namespace sluice
