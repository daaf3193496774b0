#include "domain/contact.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/names.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr Names<ContactField::note> kFields({{ContactField::name, "name"},
                                             {ContactField::phone, "phone"},
                                             {ContactField::address, "address"},
                                             {ContactField::note, "note"}});
constexpr Names<Asking::required> kAskings({{Asking::off, "off"},
                                            {Asking::optional, "optional"},
                                            {Asking::required, "required"}});

constexpr std::size_t kLeastPhoneDigits = 5;
constexpr std::size_t kMostPhoneDigits = 20;

/// A phone of any country, also one that is wired, as people write it.
bool is_plausible_phone(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(text, is_digit));
    return digits >= kLeastPhoneDigits && digits <= kMostPhoneDigits &&
           std::ranges::all_of(text, [&](char c) {
               return is_digit(c) || c == ' ' || c == '-' || c == '(' || c == ')';
           });
}

std::optional<Complaint> complain_of(ContactField field, std::string_view text, Asking asking,
                                     bool complete) {
    const auto most = kMaxContactLengths[static_cast<std::size_t>(field)];
    const bool multiline = field == ContactField::address || field == ContactField::note;
    if (text.empty()) {
        if (complete && asking == Asking::required) return Rule::missing;
        return std::nullopt;
    }
    if (asking == Asking::off) return Rule::not_asked_for;
    if (count_characters(text) > most) return Complaint(Rule::most_characters, most);
    if (has_control_characters(text, multiline)) return Rule::has_control_characters;
    if (field == ContactField::phone && !is_plausible_phone(text))
        return Complaint(Rule::digits_from_to, kLeastPhoneDigits, kMostPhoneDigits);
    return std::nullopt;
}

}  // namespace

std::string_view to_string(ContactField field) {
    return kFields.text(field);
}

std::string_view to_string(Asking asking) {
    return kAskings.text(asking);
}

std::optional<Asking> parse_asking(std::string_view text) {
    return kAskings.parse(text);
}

std::string& field_of(Contact& contact, ContactField field) {
    switch (field) {
        case ContactField::name:
            return contact.name;
        case ContactField::phone:
            return contact.phone;
        case ContactField::address:
            return contact.address;
        case ContactField::note:
            return contact.note;
    }
    CHECK(false, "an enum has one of its values");
}

const std::string& field_of(const Contact& contact, ContactField field) {
    return field_of(const_cast<Contact&>(contact), field);
}

Outcome<Contact> check_contact(Contact given, const AskedFields& asked, bool complete) {
    std::vector<FieldError> errors;
    for (std::size_t i = 0; i < kContactFields; ++i) {
        const auto field = static_cast<ContactField>(i);
        auto& text = field_of(given, field);
        text = std::string(trimmed(text));
        if (auto complaint = complain_of(field, text, asked[i], complete))
            errors.push_back({std::string(to_string(field)), std::move(*complaint)});
    }
    if (!errors.empty()) return refuse(std::move(errors));
    return given;
}

bool asks_for_anything(const AskedFields& asked) {
    return std::ranges::any_of(asked, [](Asking asking) { return asking != Asking::off; });
}

std::optional<Refusal> why_contact_fixed(OrderState order, OrderDeliveryState delivery) {
    const bool waits =
        delivery == OrderDeliveryState::none || delivery == OrderDeliveryState::preparing;
    if (order == OrderState::paid && waits) return std::nullopt;
    return Refusal{Reason::conflict, Detail::contact_fixed};
}

bool is_done_with_contact(OrderState order, OrderDeliveryState delivery) {
    return !is_live(order) || delivery == OrderDeliveryState::delivered;
}

}  // namespace sluice
