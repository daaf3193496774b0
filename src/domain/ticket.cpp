#include "domain/ticket.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include <sodium.h>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/names.hpp"

namespace sluice {
namespace {

constexpr Names<TicketState::rolled_back, TicketState::prepared> kTicketStates(
    {{TicketState::prepared, "queued"},
     {TicketState::committed, "ordered"},
     {TicketState::rolled_back, "refused"}});

/// A keyed hash over fields of fixed length, so that no two lists of fields give the same text.
Mark mark_of(const TicketMarks::Key& key, char kind, std::initializer_list<std::int64_t> numbers,
             Bytes rest) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.data(), key.size(), sizeof(Mark));
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&kind), 1);
    for (const std::int64_t number : numbers)
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&number),
                                  sizeof number);
    crypto_generichash_update(&state, rest.data(), rest.size());
    Mark mark;
    crypto_generichash_final(&state, mark.data(), mark.size());
    return mark;
}

/// Whether the answer for this reason says "send the same request again".
bool is_temporary(Reason reason) {
    switch (reason) {
        case Reason::paused:
        case Reason::not_started:
        case Reason::gate_closed:
        case Reason::busy:
        case Reason::unavailable:
            return true;
        case Reason::not_found:
        case Reason::unauthenticated:
        case Reason::forbidden:
        case Reason::invalid:
        case Reason::conflict:
        case Reason::ended:
        case Reason::sold_out:
        case Reason::limit_reached:
        case Reason::pass_invalid:
        case Reason::idempotency_mismatch:
            return false;
    }
    CHECK(false, "an enum has one of its values");
}

}  // namespace

std::string TicketId::text() const {
    std::array<unsigned char, sizeof sale.value + sizeof mark> bytes;
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<unsigned char>(sale.value >> (56 - 8 * i));
    std::memcpy(bytes.data() + 8, mark.data(), mark.size());
    return to_base64url(bytes);
}

std::optional<TicketId> TicketId::parse(std::string_view text) {
    std::array<unsigned char, sizeof sale.value + sizeof mark> bytes;
    if (text.size() != bytes.size() / 3 * 4 || !from_base64url(text, bytes)) return std::nullopt;
    TicketId id;
    for (std::size_t i = 0; i < 8; ++i) id.sale.value = id.sale.value << 8 | bytes[i];
    if (id.sale.value <= 0) return std::nullopt;
    std::memcpy(id.mark.data(), bytes.data() + 8, id.mark.size());
    return id;
}

std::string_view to_string(TicketState state) {
    return kTicketStates.text(state);
}

bool was_given_up(const TicketRecord& record) {
    return record.state == TicketState::rolled_back && record.reason &&
           is_temporary(*record.reason);
}

const TicketRecord* find_same_wish(std::span<const TicketRecord> past, const Ticket& ticket) {
    const auto has_key = [&](const TicketRecord& record) {
        return ticket.key && record.key == ticket.key;
    };
    const auto has_pass = [&](const TicketRecord& record) { return record.pass == ticket.pass; };
    /// Whether the record itself has it, or one that names the record as its decision.
    const auto counts_by = [&](const TicketRecord& record, const auto& has) {
        return has(record) || std::ranges::any_of(past, [&](const TicketRecord& each) {
                   return each.same_as == record.id && has(each);
               });
    };
    const auto nearness = [&](const TicketRecord& record) {
        if (was_given_up(record)) return 0;
        const bool by_key = counts_by(record, has_key);
        if (!by_key && !counts_by(record, has_pass)) return 0;
        const int stands = record.state == TicketState::rolled_back ? 0 : 2;
        return 1 + stands + (by_key ? 1 : 0);
    };
    const auto best = std::ranges::max_element(past, {}, nearness);
    return best == past.end() || nearness(*best) == 0 ? nullptr : &*best;
}

TicketId TicketMarks::ticket(SaleId sale, std::int64_t epoch, UserId buyer, std::int64_t quantity,
                             const Mark& pass, const std::optional<Mark>& key) const {
    const auto kind = key ? 'k' : 'p';
    return {sale,
            mark_of(key_, kind, {sale.value, epoch, buyer.value, quantity}, key ? *key : pass)};
}

TicketId TicketMarks::next_try(const TicketId& given_up) const {
    return {given_up.sale, mark_of(key_, 'n', {given_up.sale.value}, given_up.mark)};
}

Mark TicketMarks::of_key(SaleId sale, UserId buyer, std::string_view idempotency_key) const {
    return mark_of(key_, 'i', {sale.value, buyer.value}, bytes_of(idempotency_key));
}

}  // namespace sluice

std::size_t std::hash<sluice::TicketId>::operator()(const sluice::TicketId& id) const noexcept {
    std::size_t bits;
    std::memcpy(&bits, id.mark.data(), sizeof bits);
    return bits;
}
