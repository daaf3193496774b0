#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "domain/order.hpp"
#include "domain/order_delivery.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// What a shop may ask of its buyers, so that an order reaches them.
enum class ContactField { name, phone, address, note };
inline constexpr std::size_t kContactFields = static_cast<std::size_t>(ContactField::note) + 1;

std::string_view to_string(ContactField);

/// How a field is asked for.
enum class Asking { off, optional, required };

std::string_view to_string(Asking);
std::optional<Asking> parse_asking(std::string_view);

/// How each field is asked for, in the order of ContactField.
using AskedFields = std::array<Asking, kContactFields>;

/// The most characters of each field, in the same order.
inline constexpr std::array<std::size_t, kContactFields> kMaxContactLengths{60, 32, 300, 300};

/// Contact and delivery details of a buyer. A field that is not asked for, or not given, is empty.
struct Contact {
    std::string name{};
    std::string phone{};
    std::string address{};  // may have several lines, as the next
    std::string note{};

    friend bool operator==(const Contact&, const Contact&) = default;
};

std::string& field_of(Contact& contact, ContactField field);
const std::string& field_of(const Contact& contact, ContactField field);

/// The contact without blanks around its fields. Refuses with invalid, naming the fields: one that
/// is not asked for, too long, or has control characters; a phone that cannot be one; and with
/// `complete` one that is required and missing.
Outcome<Contact> check_contact(Contact given, const AskedFields& asked, bool complete);

bool asks_for_anything(const AskedFields& asked);

/// Why the contact of this order stays as it is; nullopt when it may change. It is asked for when
/// the order is paid, and until the order is on its way.
std::optional<Refusal> why_contact_fixed(OrderState order, OrderDeliveryState delivery);

/// Nobody needs the contact of such an order any more: it was delivered, or never will be.
bool is_done_with_contact(OrderState order, OrderDeliveryState delivery);

}  // namespace sluice
