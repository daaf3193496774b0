#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/item.hpp"
#include "domain/refusal.hpp"

namespace sluice {

enum class SaleKind { flash, standing };
enum class Challenge { none, math, pow };
/// Who may buy. `listed`: only those on the list of the sale. `listed_first`: only they until
/// `listed_until`, and everybody from then on.
enum class Audience { everyone, listed, listed_first };
enum class SaleState { scheduled, open, sold_out, paused, ended };

std::string_view to_string(SaleKind);
std::string_view to_string(Challenge);
std::string_view to_string(Audience);
std::string_view to_string(SaleState);
std::optional<SaleKind> parse_sale_kind(std::string_view);
std::optional<Challenge> parse_challenge(std::string_view);
/// `none` or `pow`: a formula cannot be the alternative for those who cannot see one.
std::optional<Challenge> parse_challenge_alternative(std::string_view);
std::optional<Audience> parse_audience(std::string_view);
std::optional<SaleState> parse_sale_state(std::string_view);

/// total = left + held + sold, none of them negative: the ledger enforces it too.
struct Stock {
    std::int64_t total = 0;
    std::int64_t left = 0;
    std::int64_t held = 0;
    std::int64_t sold = 0;

    friend bool operator==(const Stock&, const Stock&) = default;
};

inline constexpr std::int64_t kMaxStock = 1'000'000'000;
inline constexpr std::int64_t kMaxLimitPerBuyer = 1'000;
inline constexpr std::size_t kMaxNameLength = 80;
inline constexpr std::size_t kMaxCampaignLength = 40;
inline constexpr std::size_t kMaxTags = 10;
inline constexpr std::size_t kMaxTagLength = 30;

struct Sale {
    SaleId id;
    ItemId item_id;
    SaleKind kind = SaleKind::flash;
    std::int64_t price_cents = 0;
    std::string currency;
    Timestamp starts_at;
    std::optional<Timestamp> ends_at;   // exclusive; none: until an operator ends it
    std::optional<Timestamp> ended_at;  // an operator ended it then
    bool paused = false;
    std::optional<Timestamp> resumed_at = {};  // the end of its last pause
    Stock stock;
    std::int64_t limit_per_buyer = 1;
    std::int64_t hold_seconds = 900;
    Challenge challenge = Challenge::none;
    /// What a buyer may ask for instead of a formula: a proof of work, or nothing (`none`). Those
    /// who cannot see the picture need it. It has no effect where no formula is asked.
    Challenge challenge_alternative = Challenge::none;
    std::optional<std::int64_t> challenge_bits = {};  // of a proof of work; none: as configured
    std::int64_t gate_factor = 5;
    std::int64_t unpaid_limit = 3;  // unpaid holds before each further one costs a wait
    std::int64_t epoch = 1;         // counts the times its hot copy was filled anew
    std::int64_t hot_seq = 0;       // the last row of its hot outbox
    std::int64_t version = 1;       // counts edits, not purchases
    /// Grows with every committed change of the sale or its stock: of two views the one with the
    /// higher number is newer.
    std::int64_t news_seq = 0;
    Timestamp created_at;
    std::string name = {};               // beside the item's title; empty: none
    std::string campaign = {};           // what it belongs to; empty: nothing
    std::vector<std::string> tags = {};  // for operators to find it by
    Audience audience = Audience::everyone;
    std::optional<Timestamp> listed_until = {};  // of listed_first, and of no other audience
    /// Counts the changes of its list, so that every node asks anew who is on it.
    std::int64_t list_version = 0;

    friend bool operator==(const Sale&, const Sale&) = default;
};

/// Whether a buyer may use a challenge of this kind.
bool offers(const Sale&, Challenge kind);
/// The names of these kinds, for a complaint about another one.
std::string_view offered_kinds(const Sale&);

/// The same as the next one, with the present stock.
SaleState state_at(const Sale&, const Stock&, Timestamp now);

/// The window is [starts_at, ends_at). A sale counts as paused also at any time before it was
/// resumed: so a claim from a view that did not show the pause is refused even if the ledger gets
/// it after the resume. When several states apply the order is ended, paused, scheduled, sold out.
SaleState state_at(const Sale&, Timestamp now);

/// Why nobody can buy at `now`, whatever the stock: ended, paused or not started.
std::optional<Reason> closed_because(const Sale&, Timestamp now);

/// When an operator ended it, or else when its window ends; nullopt while it has no end.
std::optional<Timestamp> end_of(const Sale&);

/// Whether at `now` only those on its list may buy.
bool is_for_listed_only(const Sale&, Timestamp now);

/// What an operator asks for. A field that is left out has its default for a new sale and stays as
/// it is in an edit. `ends_at`, `challenge_bits` and `listed_until` hold an empty optional when
/// given as null.
struct SaleDraft {
    std::optional<SaleKind> kind;
    std::optional<std::int64_t> price_cents;
    std::optional<Timestamp> starts_at;
    std::optional<std::optional<Timestamp>> ends_at;
    std::optional<std::int64_t> stock;
    std::optional<std::int64_t> limit_per_buyer;
    std::optional<std::int64_t> hold_seconds;
    std::optional<Challenge> challenge;
    std::optional<Challenge> challenge_alternative;
    std::optional<std::optional<std::int64_t>> challenge_bits;
    std::optional<std::int64_t> gate_factor;
    std::optional<std::int64_t> unpaid_limit;
    std::optional<std::string> name;
    std::optional<std::string> campaign;
    std::optional<std::vector<std::string>> tags;
    std::optional<Audience> audience;
    std::optional<std::optional<Timestamp>> listed_until;
};

/// Refuses for an archived item.
Outcome<Sale> create_sale(const SaleDraft&, const Item&, SaleId, Timestamp now);

/// Before the start everything but the kind may change. After it only what cannot hurt a buyer:
/// when the sale ends, a higher limit, a longer hold, the challenge, the gate factor, its name and
/// its other labels, and that more people may buy, or sooner. Another audience than listed_first
/// has no `listed_until`: an edit that only names the audience removes it. Returns the same sale
/// when nothing changes. A stock that the edit does not name is not touched.
Outcome<Sale> edit_sale(const Sale&, const SaleDraft&, Timestamp now);

/// Returns the same sale when there is nothing to do.
Outcome<Sale> pause_sale(const Sale&, Timestamp now);
Outcome<Sale> resume_sale(const Sale&, Timestamp now);
Outcome<Sale> end_sale(const Sale&, Timestamp now);

/// Adds `delta` units, or takes units away, but no more than are left. Also while the sale is
/// paused, not after its end.
Outcome<Sale> restock_sale(const Sale&, std::int64_t delta, Timestamp now);

}  // namespace sluice
