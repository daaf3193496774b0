#pragma once

#include "http/exchange.hpp"
#include "sandbox/sandbox_till.hpp"

namespace sluice::sandbox {

/// The built-in provider's pay page and its buttons. Whoever has the page's address may use it.
class SandboxPage {
  public:
    /// Without a till the provider is switched off, and its pages do not exist.
    explicit SandboxPage(SandboxTill* till) : till_(till) {}

    http::Pending show_page(http::Exchange& exchange);
    http::Pending show_file(http::Exchange& exchange);
    http::Pending show_bill(http::Exchange& exchange);
    http::Pending press(http::Exchange& exchange);

  private:
    /// The till, if the path names a bill that it may have. Otherwise the exchange holds the
    /// problem.
    SandboxTill* till_for(http::Exchange& exchange);
    Task<> lend_page(http::Exchange& exchange, std::string ref);
    Task<> look_up(http::Exchange& exchange, std::string ref);
    Task<> carry_out(http::Exchange& exchange, std::string ref, SandboxTill::Button button,
                     std::chrono::seconds delay);

    SandboxTill* const till_;
};

}  // namespace sluice::sandbox
