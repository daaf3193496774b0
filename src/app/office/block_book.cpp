#include "app/office/block_book.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"

namespace sluice {
namespace {

bool strikes(const BlockSubject& subject, const Actor& actor, const Address& from) {
    if (const auto* buyer = std::get_if<UserId>(&subject)) return *buyer == actor.id;
    return covers(std::get<Network>(subject), from);
}

bool keeps_out(const Block& block, const BlockSubject& subject) {
    if (block.subject == subject) return true;
    const auto* wider = std::get_if<Network>(&block.subject);
    const auto* network = std::get_if<Network>(&subject);
    return wider && network && wider->prefix <= network->prefix && covers(*wider, network->base);
}

std::string text_of(const std::optional<Block>& block) {
    return block ? boost::json::serialize(to_json(*block)) : "";
}

}  // namespace

Task<> BlockBook::reload() {
    std::uint64_t reading = 0;
    {
        const MutexLock lock(mutex_);
        reading = ++begun_;
    }
    auto blocks = co_await ledger_.load(clock_.now());
    const MutexLock lock(mutex_);
    // A reading that began later is at least as new.
    if (reading < adopted_) co_return;
    adopted_ = reading;
    blocks_ = std::move(blocks);
    listener_(blocks_);
}

Task<Outcome<Block>> BlockBook::put(BlockSubject subject, Wish wish, Actor actor, Address from) {
    co_await reload();  // another node may have changed it a moment ago
    const auto before = find(subject);
    auto block = draft(subject, wish, before, actor, from);
    if (!block || before == *block) co_return block;
    auto deed = make_deed_of(actor, block->at, "block.put", before, *block);
    const auto done = co_await ledger_.put(*block, before, std::move(deed));
    if (!done) co_return std::unexpected(done.error());
    co_await reload();
    co_return block;
}

Outcome<Block> BlockBook::draft(const BlockSubject& subject, const Wish& wish,
                                const std::optional<Block>& before, const Actor& actor,
                                const Address& from) {
    const auto now = clock_.now();
    if (auto errors = check_block(wish.reason, wish.until, now); !errors.empty())
        return refuse(std::move(errors));
    if (strikes(subject, actor, from)) return refuse(Reason::conflict, Detail::own_block);
    if (before && before->reason == wish.reason && before->until == wish.until) return *before;
    return Block{.id = before ? before->id : BlockId{ids_.next(now)},
                 .subject = subject,
                 .reason = wish.reason,
                 .until = wish.until,
                 .at = now,
                 .by = actor.id};
}

Task<Outcome<Done>> BlockBook::lift(BlockSubject subject, Actor actor) {
    co_await reload();
    const auto before = find(subject);
    if (!before) co_return refuse(Reason::not_found);
    auto deed = make_deed_of(actor, clock_.now(), "block.lift", before, std::nullopt);
    auto done = co_await ledger_.remove(*before, std::move(deed));
    if (!done) co_return done;
    co_await reload();
    co_return Done{};
}

std::optional<Block> BlockBook::find(const BlockSubject& subject) const {
    const auto now = clock_.now();
    const MutexLock lock(mutex_);
    const auto at = std::ranges::find(blocks_, subject, &Block::subject);
    if (at == blocks_.end() || !at->holds_at(now)) return std::nullopt;
    return *at;
}

std::vector<bool> BlockBook::are_blocked(const std::vector<BlockSubject>& subjects) const {
    const auto now = clock_.now();
    std::vector<bool> blocked(subjects.size());
    const MutexLock lock(mutex_);
    for (const auto& block : blocks_) {
        if (!block.holds_at(now)) continue;
        for (std::size_t i = 0; i < subjects.size(); ++i)
            if (keeps_out(block, subjects[i])) blocked[i] = true;
    }
    return blocked;
}

std::vector<Block> BlockBook::list(std::optional<BlockId> before, std::size_t limit) const {
    const auto now = clock_.now();
    std::vector<Block> found;
    const MutexLock lock(mutex_);
    for (const auto& block : blocks_) {
        if (found.size() == limit) break;
        if (block.holds_at(now) && (!before || block.id < *before)) found.push_back(block);
    }
    return found;
}

Deed BlockBook::make_deed_of(const Actor& actor, Timestamp now, const char* action,
                             const std::optional<Block>& before,
                             const std::optional<Block>& after) {
    return make_deed(actor, DeedId{ids_.next(now)}, now, action,
                     to_string((after ? after : before)->subject), text_of(before), text_of(after));
}

}  // namespace sluice
