#include "adapters/sqlite/ledgers/blocks.hpp"

#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

Block read_block(const Statement& row) {
    const auto subject = parse_block_subject(row.column<std::string>(1));
    CHECK(subject, "only subjects in their canonical form are written");
    return {.id = row.column<BlockId>(0),
            .subject = *subject,
            .reason = row.column<std::string>(2),
            .until = row.column<std::optional<Timestamp>>(3),
            .at = row.column<Timestamp>(4),
            .by = row.column<UserId>(5)};
}

std::optional<Block> find_block(Database& database, const BlockSubject& subject) {
    auto row = database.query(sql::find_block, to_string(subject));
    if (!row.step()) return std::nullopt;
    return read_block(row);
}

bool is_full(Database& database) {
    auto row = database.query(sql::count_blocks);
    row.step();
    return row.column<std::int64_t>(0) >= static_cast<std::int64_t>(BlockLedger::kMaxBlocks);
}

bool is_known(Database& database, const BlockSubject& subject) {
    const auto* buyer = std::get_if<UserId>(&subject);
    return !buyer || database.query(sql::find_user, *buyer).step();
}

Outcome<Done> put_block(Database& database, const Block& block, const std::optional<Block>& before,
                        const Deed& deed) {
    // What has run out is in nobody's way, and this keeps the table as small as what holds.
    database.run(sql::drop_old_blocks, block.at);
    if (!is_known(database, block.subject)) return refuse(Reason::not_found);
    if (find_block(database, block.subject) != before)
        return refuse(Reason::conflict, Detail::changed_meanwhile);
    if (!before && is_full(database)) return refuse(Reason::conflict, Detail::too_many_blocks);
    database.run(sql::put_block, block.id, to_string(block.subject), block.reason, block.until,
                 block.at, block.by);
    add_deed(database, deed);
    return Done{};
}

}  // namespace

Task<std::vector<Block>> Blocks::load(Timestamp now) {
    return readers_.read<std::vector<Block>>([now](Database& database) {
        std::vector<Block> blocks;
        auto rows = database.query(sql::load_blocks, now);
        while (rows.step()) blocks.push_back(read_block(rows));
        return blocks;
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
            if (find_block(database, block.subject) != block)
                return refuse(Reason::conflict, Detail::changed_meanwhile);
            database.run(sql::remove_block, to_string(block.subject));
            add_deed(database, deed);
            return Done{};
        });
}

}  // namespace sluice::sqlite
