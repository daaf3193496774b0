#include "base/address.hpp"
#include "base/check.hpp"
#include "base/csv.hpp"
#include "base/encoding.hpp"
#include "base/timestamp.hpp"
#include "domain/block.hpp"
#include "domain/session_token.hpp"
#include "domain/ticket.hpp"
#include "fuzz/targets.hpp"
#include "http/language.hpp"
#include "observe/trace_id.hpp"

namespace sluice::fuzz {
namespace {

void instants(std::string_view text) {
    const auto instant = parse_rfc3339(text);
    if (!instant) return;
    const auto written = to_rfc3339(*instant);
    CHECK(written.size() == kTimestampLength, "an instant has one length");
    CHECK(parse_rfc3339(written) == instant, "an instant survives being written");
}

void addresses(std::string_view text) {
    if (const auto address = Address::parse(text))
        CHECK(Address::parse(address->text()) == address, "an address survives being written");
    const auto network = Network::parse(text);
    if (!network) return;
    CHECK(network->contains(network->base), "a network contains its own address");
    CHECK(Network::parse(network->text()) == network, "a network survives being written");
}

void blocks(std::string_view text) {
    const auto subject = parse_block_subject(text);
    if (!subject) return;
    const auto written = to_string(*subject);
    const auto again = parse_block_subject(written);
    CHECK(again && *again == *subject, "a block's subject has one form");
    if (const auto* network = std::get_if<Network>(&*subject))
        CHECK(covers(*network, network->base), "a block covers its own address");
}

void tables(std::string_view text) {
    CsvReader rows(text);
    std::size_t line = 0, bytes = 0;
    while (const auto row = rows.next()) {
        CHECK(row->line > line, "each row begins on a line of its own");
        line = row->line;
        for (const auto& field : row->fields) bytes += field.size();
    }
    CHECK(bytes <= text.size(), "nothing is read twice");
}

void ids(std::string_view text) {
    if (const auto id = SaleId::parse(text))
        CHECK(id->value > 0 && id->text() == text, "an id has one spelling");
    if (const auto ticket = TicketId::parse(text))
        CHECK(ticket->sale.value > 0 && ticket->text() == text, "a ticket has one spelling");
    const auto trace = trace_id(text);
    CHECK(trace.empty() || (trace.size() == 32 && trace.data() == text.data() + 3),
          "a trace id is part of its header");
}

/// A MAC cannot be guessed, so no invented text may pass. What we made must pass, but only
/// unchanged: the input then says which letter of it to change, and into what.
void tokens(std::string_view text) {
    const SessionTokens sessions({1, 2, 3});
    CHECK(!sessions.recognise(text), "a made-up token is refused");

    auto token = sessions.make(std::array<unsigned char, SessionTokens::kSecretBytes>{}).text;
    CHECK(sessions.recognise(token), "our token is recognised");
    if (text.size() < 2) return;
    const auto at = static_cast<unsigned char>(text[0]);
    char& of_token = token[at % token.size()];
    if (of_token != text[1]) {
        of_token = text[1];
        CHECK(!sessions.recognise(token), "a token with another letter is refused");
    }
}

}  // namespace

void text(std::string_view bytes) {
    instants(bytes);
    addresses(bytes);
    blocks(bytes);
    tables(bytes);
    ids(bytes);
    tokens(bytes);
    percent_decode(bytes);
    is_utf8(bytes);
    http::preferred_language(bytes);
}

}  // namespace sluice::fuzz
