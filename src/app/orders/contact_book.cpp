#include "app/orders/contact_book.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {
namespace {

/// Copies that are looked at in one transaction.
constexpr std::size_t kCopiesAtOnce = 100;

std::string setting_of(std::size_t field) {
    return "contact." + std::string(to_string(static_cast<ContactField>(field)));
}

AskedFields read_asked(const std::vector<SettingsLedger::Setting>& settings) {
    AskedFields asked{};
    for (std::size_t i = 0; i < kContactFields; ++i)
        for (const auto& [name, value] : settings)
            if (name == setting_of(i) && value >= 0 &&
                value <= static_cast<std::int64_t>(Asking::required))
                asked[i] = static_cast<Asking>(value);
    return asked;
}

std::string describe(const AskedFields& asked) {
    boost::json::object json;
    for (std::size_t i = 0; i < kContactFields; ++i)
        json[to_string(static_cast<ContactField>(i))] = to_string(asked[i]);
    return boost::json::serialize(json);
}

}  // namespace

Task<AskedFields> ContactBook::asked() {
    const auto settings = co_await settings_.load();
    co_return read_asked(settings);
}

Task<AskedFields> ContactBook::ask_for(AskedWish wish, Actor actor) {
    const auto before = co_await asked();
    auto after = before;
    std::vector<SettingsLedger::Change> changes;
    for (std::size_t i = 0; i < kContactFields; ++i) {
        if (!wish[i] || *wish[i] == before[i]) continue;
        after[i] = *wish[i];
        changes.push_back({setting_of(i), static_cast<std::int64_t>(*wish[i])});
    }
    if (changes.empty()) co_return before;
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "contact.fields", "contact",
                          describe(before), describe(after));
    co_await settings_.change(std::move(changes), std::move(deed));
    co_return after;
}

Task<Outcome<Contact>> ContactBook::store(UserId buyer, Contact contact) {
    const auto fields = co_await asked();
    auto checked = check_contact(std::move(contact), fields, false);
    if (checked) co_await ledger_.put(buyer, *checked, clock_.now());
    co_return checked;
}

Task<Outcome<Contact>> ContactBook::attach(OrderId order, UserId buyer, Contact contact) {
    const auto fields = co_await asked();
    auto checked = check_contact(std::move(contact), fields, true);
    if (!checked) co_return checked;
    const auto done = co_await ledger_.attach(order, buyer, *checked, clock_.now());
    if (!done) co_return std::unexpected(done.error());
    co_return checked;
}

Task<ContactBook::Erased> ContactBook::erase(UserId buyer, bool copies) {
    ContactLedger::EraseWish wish{
        .buyer = buyer, .copies = copies, .all = false, .after = {}, .limit = kCopiesAtOnce};
    return erase_in_steps(wish, std::nullopt);
}

Task<ContactBook::Erased> ContactBook::erase_all(UserId buyer, Actor actor) {
    ContactLedger::EraseWish wish{
        .buyer = buyer, .copies = true, .all = true, .after = {}, .limit = kCopiesAtOnce};
    return erase_in_steps(wish, std::move(actor));
}

Task<ContactBook::Erased> ContactBook::erase_in_steps(ContactLedger::EraseWish wish,
                                                      std::optional<Actor> actor) {
    Erased erased;
    for (bool more = true; more;) {
        std::optional<Deed> deed;
        const auto now = clock_.now();
        if (actor)
            deed = make_deed(*actor, DeedId{ids_.next(now)}, now, "contact.erase",
                             wish.buyer.text(), "", "");
        const auto step = co_await ledger_.erase(wish, std::move(deed));
        erased.stored = erased.stored || step.stored;
        erased.copies += step.copies;
        erased.kept += step.kept;
        wish.after = step.last;
        more = step.more;
    }
    co_return erased;
}

}  // namespace sluice
