#pragma once

#include "api/office/admin_contacts.hpp"
#include "api/shop/contacts.hpp"
#include "api/shop/my_data.hpp"
#include "app/orders/contact_book.hpp"
#include "assembly/binding.hpp"
#include "ports/ledgers.hpp"

namespace sluice {

/// Contact and delivery details of buyers, and what the shop keeps of each of them.
class ContactOffice {
  public:
    ContactOffice(Ledgers& ledgers, const Catalog& catalog, const Clock& clock, IdSource& ids);

    void bind(const Bind& bind);

  private:
    ContactBook book_;
    api::Contacts contacts_;
    api::MyData my_data_;
    api::AdminContacts admin_contacts_;
};

}  // namespace sluice
