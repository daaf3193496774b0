#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "api/json_reader.hpp"
#include "app/orders/contact_book.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Where a buyer wants orders to go: stored once, and attached to each order that is paid.
class Contacts {
  public:
    explicit Contacts(ContactBook& book) : book_(book) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending put(http::Exchange& exchange);
    http::Pending erase(http::Exchange& exchange);
    http::Pending show_of_order(http::Exchange& exchange);
    http::Pending attach(http::Exchange& exchange);

  private:
    Task<> describe(http::Exchange& exchange);
    Task<> store(http::Exchange& exchange, Contact contact);
    Task<> carry_out_erase(http::Exchange& exchange, bool copies);
    Task<> describe_of_order(http::Exchange& exchange, OrderId order);
    Task<> carry_out_attach(http::Exchange& exchange, OrderId order, Contact contact);

    ContactBook& book_;
};

boost::json::object to_json(const Contact& contact);
boost::json::value contact_json(const std::optional<Contact>& contact);

/// How each field is asked for, and its most characters.
boost::json::object to_json(const AskedFields& asked);

}  // namespace sluice::api
