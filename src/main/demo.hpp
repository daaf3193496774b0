#pragma once

#include <string>

#include "app/catalog.hpp"
#include "app/item_editor.hpp"
#include "app/register_user.hpp"
#include "app/sale_editor.hpp"
#include "main/store.hpp"

namespace sluice {

/// Fills an empty store with example data, and returns the text for the user: the logins, whose
/// passwords are made at random and kept beside the store for the next start. A fill that was
/// interrupted is finished, with new passwords.
std::string fill_demo(Store& store, const Catalog& catalog, RegisterUser& registration,
                      ItemEditor& items, SaleEditor& sales);

}  // namespace sluice
