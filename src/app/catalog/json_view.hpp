#pragma once

#include <boost/json/object.hpp>

#include "domain/block.hpp"
#include "domain/item.hpp"
#include "domain/sale.hpp"
#include "domain/user.hpp"
#include "domain/webhook.hpp"

namespace sluice {

/// Items, sales and other things as the API and the audit trail show them, without what depends on
/// the moment.
boost::json::object to_json(const Item&);
boost::json::object to_json(const Sale&);
boost::json::object to_json(const Stock&);
boost::json::object to_json(const User&);
boost::json::object to_json(const Block&);
boost::json::object to_json(const Webhook&);
boost::json::object to_json(const Delivery&);

/// A role alone, as deeds show it.
std::string role_json(Role role);

}  // namespace sluice
