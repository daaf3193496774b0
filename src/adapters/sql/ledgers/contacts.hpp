#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/contact_ledger.hpp"

namespace sluice::ledgers {

class Contacts final : public ContactLedger {
  public:
    Contacts(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<std::optional<Contact>> find(UserId buyer) override;
    Task<Done> put(UserId buyer, Contact contact, Timestamp now) override;
    Task<std::optional<OfOrder>> of_order(OrderId order, UserId buyer) override;
    Task<Outcome<Done>> attach(OrderId order, UserId buyer, Contact contact,
                               Timestamp now) override;
    Task<std::map<OrderId, Contact>> of_orders(std::vector<OrderId> orders) override;
    Task<Erased> erase(EraseWish wish, std::optional<Deed> deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

}  // namespace sluice::ledgers
