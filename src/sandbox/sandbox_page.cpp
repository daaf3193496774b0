#include "sandbox/sandbox_page.hpp"

#include <algorithm>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "sandbox/files.hpp"

namespace sluice::sandbox {
namespace {

using api::answer;
using http::Code;

void lend_file(http::Exchange& exchange, std::string_view name, std::string_view type) {
    const auto file =
        std::ranges::find(page::files, name, [](const auto& each) { return each.first; });
    exchange.response.content_type = type;
    exchange.response.cache_control = "no-cache";
    exchange.response.lend(file->second);
}

/// The language that the visitor chose on the page counts before that of their browser.
bool speaks_chinese(const http::Exchange& exchange) {
    const auto chosen = exchange.request.parameter("lang");
    if (chosen.text == "zh" || chosen.text == "en") return chosen.text == "zh";
    return exchange.context.language == http::Language::zh;
}

void answer_bill(http::Exchange& exchange, const SandboxLedger::Account& account) {
    answer(exchange, 200,
           {{"amount_cents", account.amount_cents},
            {"currency", account.currency},
            {"paid", account.paid}});
}

}  // namespace

http::Pending SandboxPage::show_page(http::Exchange& exchange) {
    if (!till_for(exchange)) return std::nullopt;
    return lend_page(exchange, std::string(exchange.parameters[0]));
}

SandboxTill* SandboxPage::till_for(http::Exchange& exchange) {
    if (till_ && till_->may_have(exchange.parameters[0])) return till_;
    exchange.refuse(Code::not_found);
    return nullptr;
}

Task<> SandboxPage::lend_page(http::Exchange& exchange, std::string ref) {
    const auto account = co_await till_->find(std::move(ref));
    if (!account) {
        exchange.refuse(Code::not_found);
        co_return;
    }
    lend_file(exchange, speaks_chinese(exchange) ? "pay.zh.html" : "pay.en.html",
              "text/html; charset=utf-8");
    exchange.response.add_header("Vary", "Accept-Language");
}

http::Pending SandboxPage::show_file(http::Exchange& exchange) {
    const auto name = exchange.parameters[0];
    if (till_ && name == "pay.css")
        lend_file(exchange, name, "text/css; charset=utf-8");
    else if (till_ && name == "pay.js")
        lend_file(exchange, name, "text/javascript; charset=utf-8");
    else
        exchange.refuse(Code::not_found);
    return std::nullopt;
}

http::Pending SandboxPage::show_bill(http::Exchange& exchange) {
    if (!till_for(exchange)) return std::nullopt;
    return look_up(exchange, std::string(exchange.parameters[0]));
}

Task<> SandboxPage::look_up(http::Exchange& exchange, std::string ref) {
    const auto account = co_await till_->find(std::move(ref));
    if (account)
        answer_bill(exchange, *account);
    else
        exchange.refuse(Code::not_found);
}

http::Pending SandboxPage::press(http::Exchange& exchange) {
    if (!till_for(exchange)) return std::nullopt;
    api::JsonReader in(exchange);
    const auto button = in.word("button", SandboxTill::parse_button, "succeed, fail, delay, twice");
    if (!button) in.complain("button", Rule::missing);
    const auto delay = in.whole_number("delay_seconds").value_or(SandboxTill::kDelay.count());
    if (delay < 0 || delay > SandboxTill::kLongestDelay.count())
        in.complain("delay_seconds",
                    {Rule::whole_number_from_to, 0, SandboxTill::kLongestDelay.count()});
    if (!in.finish()) return std::nullopt;
    return carry_out(exchange, std::string(exchange.parameters[0]), *button,
                     std::chrono::seconds{delay});
}

Task<> SandboxPage::carry_out(http::Exchange& exchange, std::string ref, SandboxTill::Button button,
                              std::chrono::seconds delay) {
    const auto pressed = co_await till_->press(std::move(ref), button, delay);
    if (pressed)
        answer_bill(exchange, *pressed);
    else
        answer(exchange, pressed.error());
}

}  // namespace sluice::sandbox
