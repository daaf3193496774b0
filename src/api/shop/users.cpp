#include "api/shop/users.hpp"

#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/party.hpp"
#include "app/catalog/json_view.hpp"

namespace sluice::api {
namespace {

/// The gate's limits for the client of one request.
class LimitsOfSignUps final : public SignUpLimits {
  public:
    LimitsOfSignUps(gate::NewAccountLimiter& limiter, const http::Exchange& exchange)
        : limiter_(limiter), client_(exchange.client), now_(exchange.began) {}

    bool may_sign_up() override { return is_open(limiter_.look(client_, now_)); }
    bool count_sign_up() override { return is_open(limiter_.count(client_, now_)); }

    /// As the latest of the calls above has found it.
    const gate::Headroom& headroom() const { return headroom_; }

  private:
    bool is_open(const gate::Headroom& headroom) {
        headroom_ = headroom;
        return !headroom.waits();
    }

    gate::NewAccountLimiter& limiter_;
    const Address client_;
    const gate::NewAccountLimiter::Instant now_;
    gate::Headroom headroom_;
};

}  // namespace

http::Pending Users::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    const auto phone = in.required_text("phone");
    auto password = in.required_text("password");
    auto name = in.text("name").value_or("");
    auto code = sign_up_.needs_code() ? in.required_text("code") : in.text("code").value_or("");
    if (!in.finish()) return std::nullopt;

    auto user = registration_.draft(phone, password, std::move(name), Role::buyer);
    if (!user) {
        answer(exchange, user.error());
        return std::nullopt;
    }
    const auto bearer = devices_.bearer(exchange, user->phone);
    Wish wish{.user = std::move(*user),
              .password = std::move(password),
              .proof = {std::move(code), bearer},
              .receipt = {}};
    // Nobody is logged in yet, so a key belongs to the phone that it came with. The password is not
    // part of the digest: whoever stole the digest and its key could try passwords on it, far
    // faster than on the password's own hash.
    const auto content = wish.user.phone + '\n' + wish.user.name;
    if (!receipts_.make(exchange, wish.user.phone, content, wish.receipt)) return std::nullopt;
    return add(exchange, std::move(wish));
}

Task<> Users::add(http::Exchange& exchange, Wish wish) {
    // Asked before the password is hashed: a retry need not cost another hash.
    const bool replayed = co_await receipts_.replay(exchange, wish.receipt);
    if (replayed) co_return;
    auto body = boost::json::serialize(to_json(wish.user));
    if (wish.receipt) wish.receipt->answer = body;
    RegisterUser::Registration registration{.user = std::move(wish.user),
                                            .password = std::move(wish.password),
                                            .receipt = std::move(wish.receipt),
                                            .party = party_of(exchange.client)};
    LimitsOfSignUps limits(limiter_, exchange);
    const auto created =
        co_await sign_up_.sign_up(std::move(registration), std::move(wish.proof), limits);
    if (created)
        answer_created(exchange, *created, std::move(body));
    else
        gate::refuse(exchange, limits.headroom(), http::Code::rate_limited);
}

}  // namespace sluice::api
