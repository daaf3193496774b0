#include "adapters/sql/ledgers/blocks.hpp"

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/user_rows.hpp"

namespace sluice::ledgers {
namespace {

std::optional<Block> find_block(Database& database, const BlockSubject& subject) {
    return database.row<BlockRow>(sql::find_block, to_string(subject)).transform(to_block);
}

bool is_known(Database& database, const BlockSubject& subject) {
    const auto* buyer = std::get_if<UserId>(&subject);
    return !buyer || database.has_row(sql::find_user, *buyer);
}

Outcome<Done> put_block(Database& database, const Block& block, const std::optional<Block>& before,
                        const Deed& deed) {
    // Expired blocks are removed here, which keeps the table as small as the blocks in force.
    database.run(sql::drop_old_blocks, block.at);
    const BlockFacts facts{.is_subject_known = is_known(database, block.subject),
                           .present = find_block(database, block.subject),
                           .count = database.value<std::size_t>(sql::count_blocks)};
    if (auto no = why_not_put(facts, before)) return std::unexpected(std::move(*no));
    database.run(sql::put_block, to_row(block));
    add_deed(database, deed);
    return Done{};
}

}  // namespace

Task<std::vector<Block>> Blocks::load(Timestamp now) {
    return readers_.read<std::vector<Block>>([now](Database& database) {
        return database.rows<BlockRow>(sql::load_blocks, now).to_vector(to_block);
    });
}

Task<Outcome<Done>> Blocks::put(Block block, std::optional<Block> before, Deed deed) {
    return writer_.write<Outcome<Done>>([block = std::move(block), before = std::move(before),
                                         deed = std::move(deed)](Database& database) {
        return put_block(database, block, before, deed);
    });
}

Task<Outcome<Done>> Blocks::remove(Block block, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [block = std::move(block), deed = std::move(deed)](Database& database) -> Outcome<Done> {
            if (auto no = why_not_removed(find_block(database, block.subject), block))
                return std::unexpected(std::move(*no));
            database.run(sql::remove_block, to_string(block.subject));
            add_deed(database, deed);
            return Done{};
        });
}

}  // namespace sluice::ledgers
