#pragma once

#include "app/office/actor.hpp"
#include "ports/clock.hpp"
#include "ports/contact_ledger.hpp"
#include "ports/settings_ledger.hpp"

namespace sluice {

/// Where buyers want their orders to go, and what the shop asks for. All is read from the ledger
/// whenever it is asked for, so that every node has the same; nobody waits for it to buy.
class ContactBook {
  public:
    ContactBook(ContactLedger& ledger, SettingsLedger& settings, const Clock& clock, IdSource& ids)
        : ledger_(ledger), settings_(settings), clock_(clock), ids_(ids) {}

    /// Nothing is asked for until operators say so. Each of these calls may throw Outage.
    Task<AskedFields> asked();

    using AskedWish = std::array<std::optional<Asking>, kContactFields>;
    /// What is left out stays. The same again changes nothing.
    Task<AskedFields> ask_for(AskedWish wish, Actor actor);

    Task<std::optional<Contact>> stored(UserId buyer) { return ledger_.find(buyer); }
    /// Refuses as check_contact() does, which may be incomplete.
    Task<Outcome<Contact>> store(UserId buyer, Contact contact);

    Task<std::optional<ContactLedger::OfOrder>> of_order(OrderId order, UserId buyer) {
        return ledger_.of_order(order, buyer);
    }
    /// Refuses as check_contact() and ContactLedger::attach() do.
    Task<Outcome<Contact>> attach(OrderId order, UserId buyer, Contact contact);

    struct Erased {
        bool stored = false;
        std::size_t copies = 0;
        std::size_t kept = 0;
    };
    /// For the buyer: what is stored and, with `copies`, what stands at orders that need it no
    /// more.
    Task<Erased> erase(UserId buyer, bool copies);
    /// For an operator: all of it. The trail has how much it was.
    Task<Erased> erase_all(UserId buyer, Actor actor);

  private:
    Task<Erased> erase_in_steps(ContactLedger::EraseWish wish, std::optional<Actor> actor);

    ContactLedger& ledger_;
    SettingsLedger& settings_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
