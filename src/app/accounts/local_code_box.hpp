#pragma once

#include "app/passes/expiring_table.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/code_box.hpp"

namespace sluice {

/// The codes of one process: a restart forgets them, and people ask for new ones.
class LocalCodeBox final : public CodeBox {
  public:
    static constexpr std::size_t kMost = 100'000;

    explicit LocalCodeBox(const Clock& clock) : clock_(clock) {}

    Task<std::optional<std::string>> read(std::string name) override;
    Task<bool> replace(std::string name, std::optional<std::string> seen, std::string text,
                       Timestamp until) override;
    bool is_full() const override { return size() >= kMost; }

    std::size_t size() const;

  private:
    const Clock& clock_;
    mutable Mutex mutex_;
    ExpiringTable<std::string, std::string> texts_ GUARDED_BY(mutex_);
};

}  // namespace sluice
