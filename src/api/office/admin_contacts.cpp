#include "api/office/admin_contacts.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/shop/contacts.hpp"

namespace sluice::api {

http::Pending AdminContacts::show_fields(http::Exchange& exchange) {
    return describe(exchange);
}

Task<> AdminContacts::describe(http::Exchange& exchange) {
    const auto asked = co_await book_.asked();
    answer(exchange, 200, {{"fields", to_json(asked)}});
}

http::Pending AdminContacts::change_fields(http::Exchange& exchange) {
    JsonReader in(exchange);
    ContactBook::AskedWish wish;
    for (std::size_t i = 0; i < kContactFields; ++i)
        wish[i] = in.word(to_string(static_cast<ContactField>(i)), parse_asking,
                          "off, optional, required");
    if (!in.finish()) return std::nullopt;
    return carry_out_change(exchange, wish);
}

Task<> AdminContacts::carry_out_change(http::Exchange& exchange, ContactBook::AskedWish wish) {
    auto actor = actor_of(exchange);
    const auto asked = co_await book_.ask_for(wish, std::move(actor));
    answer(exchange, 200, {{"fields", to_json(asked)}});
}

http::Pending AdminContacts::erase(http::Exchange& exchange) {
    const auto user = id_in_path<UserId>(exchange);
    if (!user) return std::nullopt;
    return carry_out_erase(exchange, *user);
}

Task<> AdminContacts::carry_out_erase(http::Exchange& exchange, UserId user) {
    const auto known = co_await users_.find(user);
    if (!known) {
        exchange.refuse(http::Code::not_found);
        co_return;
    }
    auto actor = actor_of(exchange);
    const auto erased = co_await book_.erase_all(user, std::move(actor));
    answer(exchange, 200,
           {{"stored", erased.stored}, {"orders", erased.copies}, {"orders_kept", erased.kept}});
}

}  // namespace sluice::api
