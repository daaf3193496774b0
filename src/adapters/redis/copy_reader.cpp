#include "adapters/redis/copy_reader.hpp"

#include <algorithm>
#include <charconv>

#include "adapters/redis/bad_reply.hpp"
#include "adapters/redis/ticket_record.hpp"

namespace sluice::redis {
namespace {

constexpr std::size_t kRecordsAtOnce = 1'000;
constexpr int kReadings = 3;

std::int64_t number_at(std::string_view text, std::size_t from, char end) {
    std::int64_t number = 0;
    const auto* const last = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + from, last, number);
    if (error != std::errc{} || (at != last && *at != end))
        throw BadReply("a number in Redis is not as we write it");
    return number;
}

std::optional<Head> read_head(const Reply& reply) {
    if (reply.size() == 0) return std::nullopt;
    return Head{.at = {.epoch = reply[0].number(), .place = reply[4].number()},
                .left = reply[1].number(),
                .applied = reply[2].number(),
                .ledger = std::string(reply[3].text()),
                .open = reply[5].number(),
                .terms_version = reply[6].number()};
}

std::string name_of(CopyReader::Part part) {
    switch (part) {
        case CopyReader::Part::buyers:
            return "buyers";
        case CopyReader::Part::open:
            return "open";
        case CopyReader::Part::former:
            return "former";
    }
    throw BadReply("an enum has one of its values");
}

}  // namespace

std::string to_text(const Position& position) {
    return std::to_string(position.epoch) + '-' + std::to_string(position.place);
}

std::int64_t read_units(std::string_view entry) {
    return number_at(entry, 0, ' ');
}

UserId read_buyer(std::string_view digits) {
    return UserId{number_at(digits, 0, '\0')};
}

LogEntry read_entry(ReplyView entry) {
    const auto id = entry[0].text();
    const auto dash = id.find('-');
    if (dash == id.npos) throw BadReply("an entry of the log has another id");
    const auto fields = entry[1];
    return {.at = {.epoch = number_at(id, 0, '-'), .place = number_at(id, dash + 1, '-')},
            .buyer = read_buyer(fields[1].text()),
            .units = fields[3].number(),
            .left = fields[5].number()};
}

Task<std::vector<SaleId>> CopyReader::sales() {
    Call call{.script = nullptr, .words = {"SMEMBERS", keys_.sales()}};
    const auto reply = co_await client_.call(std::move(call));
    std::vector<SaleId> sales;
    for (std::size_t i = 0; i < reply.size(); ++i)
        if (const auto sale = SaleId::parse(reply[i].text())) sales.push_back(*sale);
    std::ranges::sort(sales);
    co_return sales;
}

Task<std::optional<Head>> CopyReader::head(SaleId sale) {
    Call call{.script = &script("head"), .words = {keys_.epoch(sale)}};
    const auto reply = co_await client_.call(std::move(call));
    co_return read_head(reply);
}

Task<std::vector<std::optional<Head>>> CopyReader::heads(std::vector<SaleId> sales) {
    std::vector<std::optional<Head>> heads;
    for (std::size_t at = 0; at < sales.size(); at += Client::kMostAtOnce) {
        std::vector<Call> calls;
        for (std::size_t i = at; i < std::min(at + Client::kMostAtOnce, sales.size()); ++i)
            calls.push_back({.script = &script("head"), .words = {keys_.epoch(sales[i])}});
        const auto replies = co_await client_.call_all(std::move(calls));
        for (const auto& reply : replies) heads.push_back(read_head(reply));
    }
    co_return heads;
}

Task<bool> CopyReader::scan(SaleId sale, std::int64_t epoch, Part part, Visit visit) {
    std::string cursor = "0";
    do {
        Call call{.script = &script("scan"),
                  .words = {keys_.epoch(sale), std::to_string(epoch), name_of(part), cursor,
                            std::to_string(kRecordsAtOnce)}};
        const auto page = co_await client_.call(std::move(call));
        if (page.size() == 0) co_return false;
        cursor = page[0].text();
        for (std::size_t i = 1; i + 1 < page.size(); i += 2)
            visit(page[i].text(), page[i + 1].text());
    } while (cursor != "0");
    co_return true;
}

/// The pages are of different moments. Each is at least as new as the position that was read before
/// them, so applying the log from that position on makes all of them as new as its end.
Task<std::optional<ReadCopy>> CopyReader::copy(SaleId sale) {
    for (int tries = 0; tries < kReadings; ++tries) {
        const auto before = co_await head(sale);
        if (!before) co_return std::nullopt;
        ReadCopy copy{.at = before->at, .left = before->left, .units = {}};
        const bool is_read = co_await read_units(sale, copy.at.epoch, copy);
        if (!is_read) continue;
        const auto after = co_await head(sale);
        if (!after || after->at.epoch != copy.at.epoch) continue;
        const bool is_caught_up = co_await catch_up(sale, after->at, copy);
        if (is_caught_up) co_return copy;
    }
    co_return std::nullopt;
}

Task<bool> CopyReader::read_units(SaleId sale, std::int64_t epoch, ReadCopy& copy) {
    auto note_buyer = [&copy](std::string_view buyer, std::string_view entry) {
        copy.units[read_buyer(buyer)] = redis::read_units(entry);
    };
    const bool has_buyers = co_await scan(sale, epoch, Part::buyers, std::move(note_buyer));
    if (!has_buyers) co_return false;
    // Their units belonged to a former copy, and their claim may still be committed.
    auto note_past = [&copy, sale](std::string_view mark, std::string_view record) {
        copy.units.try_emplace(from_record(sale, mark, record).buyer, 0);
    };
    const bool has_former = co_await scan(sale, epoch, Part::former, std::move(note_past));
    co_return has_former;
}

Task<bool> CopyReader::catch_up(SaleId sale, Position end, ReadCopy& copy) {
    while (copy.at < end) {
        auto next = copy.at;
        ++next.place;
        Call call{.script = nullptr,
                  .words = {"XRANGE", keys_.log(sale), to_text(next), to_text(end), "COUNT",
                            std::to_string(kRecordsAtOnce)}};
        const auto entries = co_await client_.call(std::move(call));
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const auto entry = read_entry(entries[i]);
            ++copy.at.place;
            if (entry.at != copy.at) co_return false;  // the log was cut meanwhile
            copy.left = entry.left;
            if (entry.buyer.value != 0) copy.units[entry.buyer] = entry.units;
        }
        if (entries.size() == 0) co_return false;
    }
    co_return true;
}

}  // namespace sluice::redis
