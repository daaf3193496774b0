#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/reason.hpp"

namespace sluice {

/// Sixteen bytes that stand for a pass, a key or a claim. They are digests, so two of them are
/// practically never equal.
using Mark = std::array<unsigned char, 16>;

/// Names one attempt to buy. Derived from what identifies the attempt when it is repeated, so that
/// a retry has the same ticket on every node.
struct TicketId {
    SaleId sale;
    Mark mark{};

    /// 32 letters of base64url.
    std::string text() const;
    static std::optional<TicketId> parse(std::string_view);

    friend auto operator<=>(const TicketId&, const TicketId&) = default;
};

/// The journal's states (库存流水). Committed and rolled back are final.
enum class TicketState { prepared = 1, committed = 2, rolled_back = 3 };
/// As buyers and operators see the state: queued, ordered or refused.
std::string_view to_string(TicketState state);

/// A claim on its way into the ledger.
struct Ticket {
    TicketId id;
    UserId buyer;
    std::int64_t quantity = 1;
    std::int64_t epoch = 1;
    Mark pass{};              // the pass that it came with
    std::optional<Mark> key;  // the Idempotency-Key, if it had one
    Timestamp claimed_at;
};

/// What the journal says of a ticket.
struct TicketRecord {
    TicketId id;
    TicketState state = TicketState::prepared;
    std::int64_t quantity = 1;
    std::optional<OrderId> order;  // when committed
    std::optional<Reason> reason;  // when rolled back
    /// If another ticket had decided the same wish: that one. Then this one is rolled back.
    std::optional<TicketId> same_as;
    Mark pass{};
    std::optional<Mark> key;
    Timestamp claimed_at;
};

/// This try ended without deciding the wish, for a reason that passes: busy when it was fenced, or
/// a pause. The buyer was told to send the same request again, which is the next try.
bool was_given_up(const TicketRecord& record);

/// The ticket in the journal that decided the same wish: by the same key, or by the same pass. A
/// record that names the decision (`same_as`) counts for it with its own key and pass. If there are
/// several, one that was not rolled back counts before one that was, and the key counts before the
/// pass. Tries that were given up decided nothing. nullptr when there is none.
const TicketRecord* find_same_wish(std::span<const TicketRecord> past, const Ticket& ticket);

/// The mark of a ticket: of the idempotency key when there is one, else of the pass, and of the
/// quantity, so that the same ticket always stands for the same number of units.
class TicketMarks {
  public:
    using Key = std::array<unsigned char, 32>;

    explicit TicketMarks(const Key& key) : key_(key) {}

    TicketId ticket(SaleId sale, std::int64_t epoch, UserId buyer, std::int64_t quantity,
                    const Mark& pass, const std::optional<Mark>& key) const;
    Mark of_key(SaleId sale, UserId buyer, std::string_view idempotency_key) const;

    /// The ticket of the next try, after this one was given up without deciding the wish.
    TicketId next_try(const TicketId& given_up) const;

  private:
    Key key_;
};

}  // namespace sluice

template <>
struct std::hash<sluice::TicketId> {
    std::size_t operator()(const sluice::TicketId& id) const noexcept;
};
