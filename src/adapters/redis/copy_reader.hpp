#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "adapters/redis/sale_view.hpp"

namespace sluice::redis {

/// The beginning of what can be said about a copy.
struct Head {
    Position at;  // the end of its log
    std::int64_t left = 0;
    std::int64_t applied = 0;
    std::string ledger;
    std::int64_t open = 0;  // claims
    std::int64_t terms_version = 0;
};

/// Reads copies, in pages where they are long.
class CopyReader {
  public:
    CopyReader(Client& client, const Keys& keys) : client_(client), keys_(keys) {}

    /// Those that may have a copy.
    Task<std::vector<SaleId>> sales();
    /// nullopt when the copy is closed.
    Task<std::optional<Head>> head(SaleId sale);
    /// In the order of the sales.
    Task<std::vector<std::optional<Head>>> heads(std::vector<SaleId> sales);

    using Visit = std::function<void(std::string_view field, std::string_view value)>;
    enum class Part { buyers, open, former };
    /// Visits what is there from beginning to end, perhaps twice. False when there is no copy of
    /// this epoch, or no more.
    Task<bool> scan(SaleId sale, std::int64_t epoch, Part part, Visit visit);

    /// The whole copy with all who have a past, at one position; nullopt when it is closed, or
    /// changes too fast to be read this time.
    Task<std::optional<ReadCopy>> copy(SaleId sale);

  private:
    Task<bool> read_units(SaleId sale, std::int64_t epoch, ReadCopy& copy);
    Task<bool> catch_up(SaleId sale, Position end, ReadCopy& copy);

    Client& client_;
    const Keys& keys_;
};

/// As XRANGE and XREAD show it.
LogEntry read_entry(ReplyView entry);
/// The units at the beginning of a buyer's entry.
std::int64_t read_units(std::string_view entry);
/// Throws BadReply when it is none.
UserId read_buyer(std::string_view digits);
std::string to_text(const Position& position);

}  // namespace sluice::redis
