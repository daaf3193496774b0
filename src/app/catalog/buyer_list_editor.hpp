#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "app/catalog/catalog.hpp"
#include "app/office/actor.hpp"
#include "domain/phone.hpp"
#include "ports/buyer_list_ledger.hpp"
#include "ports/clock.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice {

/// What operators do to the list of a sale. Each change and each export is in the audit trail, with
/// the counts and never with the buyers.
class BuyerListEditor {
  public:
    static constexpr std::size_t kPage = 1'000;
    static constexpr int kExportsAtOnce = 4;

    BuyerListEditor(BuyerListLedger& ledger, TrailLedger& trail, Catalog& catalog,
                    const PhoneForm& form, const Clock& clock, IdSource& ids)
        : ledger_(ledger),
          trail_(trail),
          catalog_(catalog),
          form_(form),
          clock_(clock),
          ids_(ids) {}

    using How = BuyerListLedger::How;
    struct Change {
        SaleId sale;
        How how = How::replace;
    };
    struct Changed {
        ListCounts before, after;
        std::size_t given = 0;  // different buyers in the upload
    };
    /// Refuses with invalid, with the number of each bad line, and then nothing is changed.
    Task<Outcome<Changed>> upload(Change change, std::string_view csv, Actor actor);
    Task<Outcome<Changed>> clear(SaleId sale, Actor actor);
    Task<BuyerListLedger::Shown> show(SaleId sale) { return ledger_.show(sale); }

    /// An export that is under way. The editor outlives it.
    class Walk {
      public:
        Walk(BuyerListEditor& owner, SaleId sale);
        ~Walk();
        Walk(const Walk&) = delete;
        Walk& operator=(const Walk&) = delete;

        /// Empty when there are no more. May throw Outage.
        Task<std::vector<ListedBuyer>> next();

      private:
        BuyerListEditor& owner_;
        BuyerListLedger::Wanted wanted_;
    };
    /// First notes in the audit trail who takes which list. Null when too many are under way. May
    /// throw Outage.
    Task<std::unique_ptr<Walk>> begin_export(SaleId sale, Actor actor);

  private:
    Task<Outcome<Changed>> change(BuyerListLedger::Change change, std::string action, Actor actor);

    BuyerListLedger& ledger_;
    TrailLedger& trail_;
    Catalog& catalog_;
    const PhoneForm form_;
    const Clock& clock_;
    IdSource& ids_;
    std::atomic<int> exports_ = 0;
};

}  // namespace sluice
