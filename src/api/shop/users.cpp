#include "api/shop/users.hpp"

#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"
#include "app/json_view.hpp"

namespace sluice::api {

http::Pending Users::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    const auto phone = in.required_text("phone");
    auto password = in.required_text("password");
    auto name = in.text("name").value_or("");
    auto code = codes_ ? in.required_text("code") : in.text("code").value_or("");
    if (!in.finish()) return std::nullopt;

    auto user = registration_.draft(phone, password, std::move(name), Role::buyer);
    if (!user) {
        answer(exchange, user.error());
        return std::nullopt;
    }
    Wish wish{.user = std::move(*user),
              .password = std::move(password),
              .code = std::move(code),
              .receipt = {}};
    // Nobody is logged in yet: a key belongs to the phone it came with. The password is not part of
    // what is digested: whoever stole the digest and its key could try passwords on it, far faster
    // than on the password's own hash.
    const auto content = wish.user.phone + '\n' + wish.user.name;
    if (!receipts_.make(exchange, wish.user.phone, content, wish.receipt)) return std::nullopt;
    return add(exchange, std::move(wish));
}

Task<> Users::add(http::Exchange& exchange, Wish wish) {
    // Asked before the password is hashed: a retry need not cost another hash.
    const bool replayed = co_await receipts_.replay(exchange, wish.receipt);
    if (replayed) co_return;
    const auto phone = wish.user.phone;
    const auto code = wish.code;
    if (codes_ && !codes_->redeem(CodePurpose::registration, phone, code)) {
        answer(exchange, Refusal{Reason::invalid, Detail::none, {{"code", Rule::wrong_code}}, {}});
        co_return;
    }
    bool spent = false;
    std::exception_ptr failure;
    try {
        spent = co_await add_once(exchange, std::move(wish));
    } catch (...) {
        failure = std::current_exception();
    }
    if (codes_ && !spent) codes_->give_back(CodePurpose::registration, phone, code);
    if (failure) std::rethrow_exception(failure);
}

/// Whether it came to an end: false when the same request may be sent again.
Task<bool> Users::add_once(http::Exchange& exchange, Wish wish) {
    if (const auto headroom = limiter_.look(exchange.client, exchange.began);
        headroom.count.wait.count() > 0) {
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        co_return false;
    }
    const auto taken = co_await registration_.expect_free(wish.user.phone);
    if (taken) {
        answer(exchange, *taken);
        co_return true;
    }
    auto body = boost::json::serialize(to_json(wish.user));
    if (wish.receipt) wish.receipt->answer = body;
    RegisterUser::Registration registration{.user = std::move(wish.user),
                                            .password = std::move(wish.password),
                                            .receipt = std::move(wish.receipt),
                                            .party = party_of(exchange.client)};
    // Counted when it is about to be made: whoever was told to come back has not used anything up.
    RegisterUser::MayAdd may_add = [this, &exchange] {
        const auto headroom = limiter_.count(exchange.client, exchange.began);
        if (headroom.count.wait.count() == 0) return true;
        gate::refuse(exchange, headroom, http::Code::rate_limited);
        return false;
    };
    const auto created = co_await registration_.add(std::move(registration), std::move(may_add));
    if (!created) co_return false;
    answer_created(exchange, *created, std::move(body));
    co_return true;
}

}  // namespace sluice::api
