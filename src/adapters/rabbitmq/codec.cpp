#include "adapters/rabbitmq/codec.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/check.hpp"

namespace sluice::rabbitmq {
namespace {

constexpr std::string_view kMagic = "SLT";
constexpr unsigned char kVersion = 1;
constexpr std::size_t kHeadBytes = kMagic.size() + 1 + 2;
constexpr std::size_t kMarkBytes = std::tuple_size_v<Mark>;
// Sale, mark, buyer, quantity, epoch, pass, whether there is a key, key, time of the claim.
constexpr std::size_t kTicketBytes = 8 + kMarkBytes + 8 + 8 + 8 + kMarkBytes + 1 + kMarkBytes + 8;
constexpr std::int64_t kLastInstant = 253'402'300'799'999;  // of the year 9999, in milliseconds

class Writer {
  public:
    explicit Writer(std::string& out) : out_(out) {}

    void number(std::uint64_t value, int bytes) {
        for (int at = bytes - 1; at >= 0; --at)
            out_.push_back(static_cast<char>(value >> (8 * at) & 0xff));
    }
    void number(std::int64_t value) { number(static_cast<std::uint64_t>(value), 8); }
    void mark(const Mark& mark) { out_.append(mark.begin(), mark.end()); }

  private:
    std::string& out_;
};

/// Reads bytes that are certainly there: its creator has checked the length.
class Reader {
  public:
    explicit Reader(std::string_view in) : in_(in) {}

    std::uint64_t raw(std::size_t bytes) {
        std::uint64_t value = 0;
        for (const char byte : next(bytes)) value = value << 8 | static_cast<unsigned char>(byte);
        return value;
    }
    /// Nothing unless the number is from `least` to `most`, neither of them negative.
    std::optional<std::int64_t> number(
        std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
        const auto value = raw(8);
        if (value < static_cast<std::uint64_t>(least) || value > static_cast<std::uint64_t>(most))
            return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    Mark mark() {
        Mark mark;
        std::ranges::copy(next(kMarkBytes), mark.begin());
        return mark;
    }

  private:
    std::string_view next(std::size_t bytes) {
        const auto part = in_.substr(0, bytes);
        in_.remove_prefix(bytes);
        return part;
    }

    std::string_view in_;
};

void write(Writer& out, const Ticket& ticket) {
    out.number(ticket.id.sale.value);
    out.mark(ticket.id.mark);
    out.number(ticket.buyer.value);
    out.number(ticket.quantity);
    out.number(ticket.epoch);
    out.mark(ticket.pass);
    out.number(ticket.key ? 1 : 0, 1);
    out.mark(ticket.key.value_or(Mark{}));
    out.number(to_millis(ticket.claimed_at));
}

std::optional<Ticket> read(std::string_view bytes) {
    Reader in(bytes);
    Ticket ticket;
    const auto sale = in.number(1);
    ticket.id.mark = in.mark();
    const auto buyer = in.number(1);
    const auto quantity = in.number(1);
    const auto epoch = in.number(1);
    ticket.pass = in.mark();
    const auto has_key = in.raw(1);
    const auto key = in.mark();
    const auto claimed_at = in.number(0, kLastInstant);
    if (!sale || !buyer || !quantity || !epoch || !claimed_at) return std::nullopt;
    // Each ticket has exactly one encoding.
    if (has_key > 1 || (has_key == 0 && key != Mark{})) return std::nullopt;
    ticket.id.sale = SaleId{*sale};
    ticket.buyer = UserId{*buyer};
    ticket.quantity = *quantity;
    ticket.epoch = *epoch;
    if (has_key == 1) ticket.key = key;
    ticket.claimed_at = from_millis(*claimed_at);
    return ticket;
}

}  // namespace

std::string encode(std::span<const Ticket> tickets) {
    CHECK(!tickets.empty() && tickets.size() <= kMostTickets, "a message has 1 to 512 tickets");
    std::string body;
    body.reserve(kHeadBytes + tickets.size() * kTicketBytes);
    body += kMagic;
    Writer out(body);
    out.number(kVersion, 1);
    out.number(tickets.size(), 2);
    for (const auto& ticket : tickets) write(out, ticket);
    return body;
}

std::expected<std::vector<Ticket>, std::string> decode(std::string_view body) {
    if (body.size() < kHeadBytes || !body.starts_with(kMagic))
        return std::unexpected("it is no message of tickets");
    Reader head(body.substr(kMagic.size()));
    if (const auto version = head.raw(1); version != kVersion)
        return std::unexpected("it is of version " + std::to_string(version) +
                               ", which this program does not know");
    const auto count = static_cast<std::size_t>(head.raw(2));
    if (count == 0 || count > kMostTickets || body.size() != kHeadBytes + count * kTicketBytes)
        return std::unexpected("its length does not fit its number of tickets");
    std::vector<Ticket> tickets;
    tickets.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto ticket = read(body.substr(kHeadBytes + i * kTicketBytes, kTicketBytes));
        if (!ticket) return std::unexpected("ticket " + std::to_string(i) + " is impossible");
        tickets.push_back(*std::move(ticket));
    }
    return tickets;
}

}  // namespace sluice::rabbitmq
