#pragma once

#include <string>

#include "app/accounts/register_user.hpp"
#include "app/catalog/catalog.hpp"
#include "app/catalog/item_editor.hpp"
#include "app/catalog/sale_editor.hpp"
#include "main/store.hpp"

namespace sluice {

/// Fills an empty store with example data, and returns the text for the user: the logins, whose
/// passwords are made at random and kept beside the store for the next start. A fill that was
/// interrupted is finished, with new passwords.
std::string fill_demo(Store& store, const Catalog& catalog, RegisterUser& registration,
                      ItemEditor& items, SaleEditor& sales);

}  // namespace sluice
