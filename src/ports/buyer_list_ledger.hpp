#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/task.hpp"
#include "domain/buyer_list.hpp"
#include "domain/deed.hpp"
#include "domain/phone.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// The lists of the buyers for whom sales are meant. May throw Outage or Overload, as UserLedger.
class BuyerListLedger {
  public:
    virtual ~BuyerListLedger() = default;

    enum class How { replace, append };
    /// Called inside the transaction, with the counts before and after it. It must not block.
    using MakeDeed = std::function<Deed(const ListCounts& before, const ListCounts& after)>;
    struct Change {
        SaleId sale;
        How how = How::replace;
        std::vector<ListedBuyer> buyers;  // to replace by none is to clear
        MakeDeed make_deed;
    };
    struct Changed {
        Sale sale;  // with its new list_version
        ListCounts before, after;
    };
    /// All of it or nothing; the same again changes nothing but the version. Whoever is on the list
    /// already is not added twice. Its cost follows the buyers that are given, not the list: what
    /// is replaced stops to count at once and is removed by prune(). Refuses with not_found when
    /// there is no such sale, and with conflict when the list would have more than kMostListed.
    virtual Task<Outcome<Changed>> change(Change change) = 0;

    struct Shown {
        ListCounts counts;
        std::optional<Timestamp> changed_at;  // none: the sale never had a list
    };
    virtual Task<Shown> show(SaleId sale) = 0;

    /// Whether the list names the user, by their id or by the phone of their account, in any of
    /// its spellings. A few rows by their keys.
    virtual Task<bool> names(SaleId sale, UserId user, PhoneForm form) = 0;

    /// Phones first, then ids, each in order, after the one that is given. Of another edition
    /// than the one that is wanted there is nothing: the list was replaced.
    struct Page {
        std::vector<ListedBuyer> buyers;
        std::int64_t edition = 0;  // the present one
    };
    struct Wanted {
        SaleId sale;
        std::optional<std::int64_t> edition = {};  // none: the present one
        std::optional<ListedBuyer> after = {};
        std::size_t limit = 0;
    };
    virtual Task<Page> page(Wanted wanted) = 0;

    /// Removes rows that were replaced, and the lists of sales that were over before
    /// `over_before`: at most `limit` rows, and how many it were.
    virtual Task<std::size_t> prune(Timestamp over_before, std::size_t limit) = 0;
};

}  // namespace sluice
