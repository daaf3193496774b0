#pragma once

#include <string>

#include "app/catalog.hpp"
#include "app/item_editor.hpp"
#include "app/register_user.hpp"
#include "app/sale_editor.hpp"
#include "main/store.hpp"

namespace sluice {

/// Fills an empty store with something to look at, and returns what to tell the user: the logins,
/// whose passwords are made at random when the store is filled and kept beside it for the next
/// start. A fill that was cut short is finished, with new passwords.
std::string fill_demo(Store& store, const Catalog& catalog, RegisterUser& registration,
                      ItemEditor& items, SaleEditor& sales);

}  // namespace sluice
