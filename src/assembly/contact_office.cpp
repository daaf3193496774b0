#include "assembly/contact_office.hpp"

namespace sluice {

ContactOffice::ContactOffice(Ledgers& ledgers, const Catalog& catalog, const Clock& clock,
                             IdSource& ids)
    : book_(ledgers.contacts(), ledgers.settings(), clock, ids),
      contacts_(book_),
      my_data_({.users = ledgers.users(),
                .orders = ledgers.orders(),
                .deliveries = ledgers.deliveries(),
                .contacts = ledgers.contacts(),
                .catalog = catalog}),
      admin_contacts_(book_, ledgers.users()) {}

void ContactOffice::bind(const Bind& bind) {
    bind("show_contact", to(contacts_, &api::Contacts::show));
    bind("put_contact", to(contacts_, &api::Contacts::put));
    bind("erase_contact", to(contacts_, &api::Contacts::erase));
    bind("show_order_contact", to(contacts_, &api::Contacts::show_of_order));
    bind("put_order_contact", to(contacts_, &api::Contacts::attach));
    bind("download_my_data", to(my_data_, &api::MyData::download));
    bind("show_contact_fields", to(admin_contacts_, &api::AdminContacts::show_fields));
    bind("change_contact_fields", to(admin_contacts_, &api::AdminContacts::change_fields));
    bind("erase_contact_of_user", to(admin_contacts_, &api::AdminContacts::erase));
}

}  // namespace sluice
