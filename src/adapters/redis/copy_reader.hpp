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

/// The head of a copy: what can be read about it in one step.
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

    /// The sales that may have a copy.
    Task<std::vector<SaleId>> sales();
    /// nullopt when the copy is closed.
    Task<std::optional<Head>> head(SaleId sale);
    /// In the order of the sales.
    Task<std::vector<std::optional<Head>>> heads(std::vector<SaleId> sales);

    using Visit = std::function<void(std::string_view field, std::string_view value)>;
    enum class Part { buyers, open, former };
    /// Visits all entries from beginning to end, some perhaps twice. False when there is no copy of
    /// this epoch, or not any more.
    Task<bool> scan(SaleId sale, std::int64_t epoch, Part part, Visit visit);

    /// The whole copy with all buyers who have a past, at one position of the log; nullopt when it
    /// is closed, or changes too fast to be read now.
    Task<std::optional<ReadCopy>> copy(SaleId sale);

  private:
    Task<bool> read_units(SaleId sale, std::int64_t epoch, ReadCopy& copy);
    Task<bool> catch_up(SaleId sale, Position end, ReadCopy& copy);

    Client& client_;
    const Keys& keys_;
};

/// In the form of XRANGE and XREAD.
LogEntry read_entry(ReplyView entry);
/// The units at the beginning of a buyer's entry.
std::int64_t read_units(std::string_view entry);
/// Throws BadReply when it is not one.
UserId read_buyer(std::string_view digits);
std::string to_text(const Position& position);

}  // namespace sluice::redis
