#include "adapters/redis/ticket_record.hpp"

#include <charconv>
#include <cstring>

#include "adapters/redis/bad_reply.hpp"
#include "base/encoding.hpp"

namespace sluice::redis {
namespace {

std::string_view next_word(std::string_view& text) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

[[noreturn]] void complain() {
    throw BadReply("an open claim in Redis is not as we write it");
}

std::int64_t next_number(std::string_view& text) {
    const auto word = next_word(text);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) complain();
    return number;
}

Mark mark_of(std::string_view word) {
    Mark mark;
    if (!from_base64url(word, mark)) complain();
    return mark;
}

}  // namespace

std::string to_record(const Ticket& ticket) {
    std::string record = "c";
    for (const auto number :
         {ticket.buyer.value, ticket.quantity, to_millis(ticket.claimed_at), ticket.epoch})
        record += ' ' + std::to_string(number);
    record += ' ' + to_base64url(ticket.pass);
    if (ticket.key) record += ' ' + to_base64url(*ticket.key);
    return record;
}

Ticket from_record(SaleId sale, std::string_view mark, std::string_view record) {
    Ticket ticket;
    ticket.id = {sale, to_mark(mark)};
    next_word(record);  // the stage
    ticket.buyer = UserId{next_number(record)};
    ticket.quantity = next_number(record);
    ticket.claimed_at = from_millis(next_number(record));
    ticket.epoch = next_number(record);
    ticket.pass = mark_of(next_word(record));
    if (!record.empty()) ticket.key = mark_of(record);
    return ticket;
}

std::string to_text(const Mark& mark) {
    return {reinterpret_cast<const char*>(mark.data()), mark.size()};
}

Mark to_mark(std::string_view bytes) {
    Mark mark;
    if (bytes.size() != mark.size()) complain();
    std::memcpy(mark.data(), bytes.data(), mark.size());
    return mark;
}

}  // namespace sluice::redis
