#include "adapters/sql/ledgers/hold_networks.hpp"

#include <utility>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/block.hpp"

namespace sluice::ledgers {
namespace {

std::size_t prune_networks(Database& database, Timestamp noted_before, Timestamp over_before,
                           std::size_t limit) {
    std::size_t removed = database.run(sql::prune_hold_networks, noted_before, limit);
    while (removed < limit) {
        const auto sale = database.row<SaleId>(sql::find_over_sale_with_networks, over_before);
        if (!sale) break;
        removed += database.run(sql::prune_hold_networks_of_sale, *sale, limit - removed);
    }
    return removed;
}

}  // namespace

Task<Done> HoldNetworks::note(std::vector<HoldNetwork> networks) {
    return writer_.write<Done>([networks = std::move(networks)](Database& database) {
        auto add = database.repeat(sql::note_hold_network);
        for (const auto& [ticket, network, at] : networks)
            add.run(ticket.sale, ticket.mark, to_string(BlockSubject(network)), at);
        return Done{};
    });
}

Task<std::size_t> HoldNetworks::prune(Timestamp noted_before, Timestamp over_before,
                                      std::size_t limit) {
    return writer_.write<std::size_t>([=](Database& database) {
        return prune_networks(database, noted_before, over_before, limit);
    });
}

}  // namespace sluice::ledgers
