#include "api/shop/users.hpp"

#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "app/json_view.hpp"

namespace sluice::api {

http::Pending Users::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    const auto phone = in.required_text("phone");
    auto password = in.required_text("password");
    auto name = in.text("name").value_or("");
    if (!in.finish()) return std::nullopt;

    auto user = registration_.draft(phone, password, std::move(name), Role::buyer);
    if (!user) {
        answer(exchange, user.error());
        return std::nullopt;
    }
    std::optional<Receipt> receipt;
    // Nobody is logged in yet: a key belongs to the phone it came with. The password is not part of
    // what is digested: whoever stole the digest and its key could try passwords on it, far faster
    // than on the password's own hash.
    const auto content = user->phone + '\n' + user->name;
    if (!receipts_.make(exchange, phone, content, receipt)) return std::nullopt;
    return add(exchange, std::move(*user), std::move(password), std::move(receipt));
}

Task<> Users::add(http::Exchange& exchange, User user, std::string password,
                  std::optional<Receipt> receipt) {
    // Asked before the password is hashed: a retry need not cost another hash.
    const bool replayed = co_await receipts_.replay(exchange, receipt);
    if (replayed) co_return;
    auto body = boost::json::serialize(to_json(user));
    if (receipt) receipt->answer = body;
    const auto created =
        co_await registration_.add(std::move(user), std::move(password), std::move(receipt));
    answer_created(exchange, created, std::move(body));
}

}  // namespace sluice::api
