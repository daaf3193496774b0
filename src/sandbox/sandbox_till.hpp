#pragma once

#include <chrono>
#include <functional>

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/sandbox_ledger.hpp"
#include "sandbox/bill_names.hpp"

namespace sluice::sandbox {

/// The buttons of the sandbox's pay page. They belong to the provider: the shop learns by letter
/// what a button has done, as from any provider.
class SandboxTill {
  public:
    enum class Button { succeed, fail, delay, twice };
    static std::optional<Button> parse_button(std::string_view);

    static constexpr std::chrono::seconds kDelay{30};
    static constexpr std::chrono::seconds kLongestDelay{3600};

    /// `on_letters`: called when there is a letter to deliver.
    SandboxTill(SandboxLedger& ledger, const BillNames& names, const Clock& clock, IdSource& ids,
                std::function<void()> on_letters)
        : ledger_(ledger),
          names_(names),
          clock_(clock),
          ids_(ids),
          on_letters_(std::move(on_letters)) {}

    /// Whether a bill of this name can exist. Reads nothing from the ledger, so an invented name
    /// costs no read.
    bool may_have(std::string_view ref) const { return names_.is_ours(ref); }

    Task<std::optional<SandboxLedger::Account>> find(std::string ref);

    /// `delay` is used by Button::delay only. Refuses with not_found, and with conflict when the
    /// bill has been paid: only Button::twice takes money a second time.
    Task<Outcome<SandboxLedger::Account>> press(std::string ref, Button button,
                                                std::chrono::seconds delay);

  private:
    SandboxLedger::Letter write_letter(const SandboxLedger::Account& account,
                                       PaymentEvent::Type type, Timestamp now, Timestamp due);

    SandboxLedger& ledger_;
    const BillNames& names_;
    const Clock& clock_;
    IdSource& ids_;
    const std::function<void()> on_letters_;
};

}  // namespace sluice::sandbox
