#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/catalog/catalog.hpp"
#include "app/orders/network_holders.hpp"
#include "app/passes/challenge_desk.hpp"
#include "app/passes/listed_buyers.hpp"
#include "domain/caller.hpp"
#include "ports/entry_desk.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Limits for one buyer who tries to enter one sale. The gate counts; IssuePass decides what is
/// counted.
class EntryLimits {
  public:
    /// Whether the buyer may answer a formula: not after too many wrong answers.
    virtual bool may_answer() const = 0;
    virtual void note_wrong_answer() = 0;
    virtual void note_right_answer() = 0;
    /// Whether they may see another picture of a formula. Whoever may ask for as many as they like
    /// answers only what they can read.
    virtual bool may_see_picture() const = 0;
    /// The same, and it counts as seen. A right answer, or give_picture_back(), takes that back.
    virtual bool count_picture() = 0;
    virtual void give_picture_back() = 0;
    /// Whether they may have another pass, if they have claimed in this sale before.
    virtual bool may_return() const = 0;
    virtual void note_return() = 0;
    /// The client, whose network may have only so many people with unpaid holds.
    virtual BoundedClient client() const = 0;

  protected:
    ~EntryLimits() = default;
};

/// From the challenge to the pass: which challenge a buyer gets, and whether they get a pass for
/// what they show.
///
/// Both come in two calls. The one that ends in `_at_once` does not wait and answers nearly
/// everybody. It returns nullopt if the ledger or the entry desk has to be waited for, or a formula
/// has to be drawn; then the other call answers. Safe from any thread.
class IssuePass {
  public:
    IssuePass(ChallengeDesk& challenges, EntryDesk& desk, const Catalog& catalog, StockGate& gate,
              OrderLedger& ledger, NetworkHolders& holders, ListedBuyers& listed,
              const Clock& clock)
        : challenges_(challenges),
          desk_(desk),
          catalog_(catalog),
          gate_(gate),
          ledger_(ledger),
          holders_(holders),
          listed_(listed),
          clock_(clock) {}

    /// The buyer may ask again after this time.
    struct Wait {
        std::chrono::seconds retry_after;
        Detail detail;
    };
    enum class Limit { answers, pictures, returns };
    /// The answer is wrong, or the challenge is expired, spent, or somebody else's.
    struct ChallengeFailed {};
    /// The sale is for the buyers on its list, and the buyer is not on it.
    struct NotListed {
        std::optional<Timestamp> until;  // from then on everybody may buy
    };
    using No = std::variant<Refusal, Wait, Limit, ChallengeFailed, NotListed>;

    using Offer =
        std::expected<std::variant<ChallengeDesk::FormulaOffer, ChallengeDesk::WorkOffer>, No>;
    /// `wish`: the kind of challenge that the buyer asks for; the default is the sale's kind.
    /// Refuses with invalid a kind that the sale does not offer.
    std::optional<Offer> offer_at_once(const Sale& sale, UserId buyer,
                                       std::optional<Challenge> wish, const EntryLimits& limits);
    /// `limits` outlives the task. Throws Overload when too many wait for a formula, Outage when
    /// the ledger cannot be asked.
    Task<Offer> offer(std::shared_ptr<const DisplayedSale> displayed, UserId buyer,
                      std::optional<Challenge> wish, EntryLimits& limits);

    /// What the request shows in order to get a pass.
    struct Shown {
        std::optional<std::string> challenge_id;
        std::optional<std::string> answer;
    };
    using Issue = std::expected<EntryDesk::Issued, No>;
    std::optional<Issue> issue_at_once(const Sale& sale, const Caller& buyer, const Shown& shown,
                                       EntryLimits& limits);
    /// `limits` outlives the task. May throw Outage.
    Task<Issue> issue(std::shared_ptr<const DisplayedSale> displayed, Caller buyer, Shown shown,
                      EntryLimits& limits);

  private:
    std::optional<Reason> why_not(const Sale& sale, const StockGate::Glance& glance) const;
    Task<std::optional<No>> why_not_by_past(const Sale& sale, UserId buyer);
    /// Whether the list of the sale matters and keeps the buyer out; unknown if the ledger has to
    /// be asked.
    enum class ByList { admitted, kept_out, unknown };
    ByList look_at_list(const Sale& sale, UserId buyer) const;
    Task<std::optional<No>> why_not_by_list(const Sale& sale, UserId buyer);
    Task<std::optional<No>> why_not_by_network(SaleId sale, UserId buyer,
                                               const EntryLimits& limits);
    bool has_room(SaleId sale, UserId buyer, const EntryLimits& limits);
    Task<Offer> offer_formula(Entrant entrant, EntryLimits& limits);
    Task<std::optional<TicketId>> latest_ticket(SaleId sale, UserId buyer);
    std::optional<Offer> offer_work(const Sale& sale, UserId buyer, std::optional<Challenge> wish,
                                    const EntryLimits& limits);
    std::expected<EntryDesk::Request, No> request_for(const Sale& sale, UserId buyer,
                                                      std::int64_t left, const Shown& shown,
                                                      EntryLimits& limits);
    static Issue conclude(const EntryDesk::Request& request, EntryDesk::Answer answer,
                          EntryLimits& limits);

    ChallengeDesk& challenges_;
    EntryDesk& desk_;
    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    NetworkHolders& holders_;
    ListedBuyers& listed_;
    const Clock& clock_;
};

}  // namespace sluice
