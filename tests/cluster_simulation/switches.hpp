#pragma once

#include <array>
#include <cstdint>

namespace sluice::cluster_simulation {

/// The numbered sentences of the cluster protocol. Each can be left out, one at a time.
enum class Switch {
    none,
    yes_without_mark,      // 1: the edge says 202 for a confirmed ticket that was not marked
    marked_is_condemned,   // 1: condemn takes tickets that are handed off, too
    yes_to_a_fence,        // 2: the edge says 202 whatever row it finds in the journal
    prepared_is_fenced,    // 2: the reaper's fence replaces a prepared row
    yes_without_journal,   // 3: neither confirmed nor noted, and still the edge says 202
    fence_lets_through,    // 3: a late message is written in spite of the fence
    missed_is_not_told,    // 4: settle reports no missed ticket
    done_is_not_kept,      // 5: settled and released tickets are forgotten
    any_epoch,             // 6: verbs work on the present copy, whichever epoch they name
    any_run,               // 7: nobody checks on which Redis a copy was filled
    other_epoch_is_left,   // 8: a copy of another epoch than the ledger's is no reason to warm
    fill_on_any_run,       // 9: a filling goes on after the Redis has changed
    released_on_own_word,  // 10: an edge that knows no outcome releases its claim
    given_up_is_the_end,   // 11: after a try that was given up there is no next try
    epoch_by_count,        // 12: the next epoch is the ledger's plus one
    older_fill_counts,     // 12: a copy of an epoch that is not above Redis's may be filled
    each_ticket_decides,   // 13: a ticket is decided without a look at its wish
    any_ledger,            // 14: nobody checks from which ledger a copy was filled
    run_id_alone,          // 15: the replication id does not count
    missing_key_is_empty,  // 16: a missing buyers, open or done reads as empty
};

struct SwitchName {
    Switch which;
    int sentence;
    const char* name;
    std::uint64_t within = 1'000;  // number of seeds, from the first, of which one must find it
    bool must_be_found = true;     // false: an early alarm; other checks find the same later
};
inline constexpr std::array<SwitchName, 20> kSwitches{{
    {Switch::yes_without_mark, 1, "yes_without_mark"},
    {Switch::marked_is_condemned, 1, "marked_is_condemned"},
    {Switch::yes_to_a_fence, 2, "yes_to_a_fence"},
    {Switch::prepared_is_fenced, 2, "prepared_is_fenced"},
    {Switch::yes_without_journal, 3, "yes_without_journal"},
    {Switch::fence_lets_through, 3, "fence_lets_through"},
    {Switch::missed_is_not_told, 4, "missed_is_not_told", 1'000, false},
    {Switch::done_is_not_kept, 5, "done_is_not_kept"},
    {Switch::any_epoch, 6, "any_epoch"},
    {Switch::any_run, 7, "any_run"},
    {Switch::other_epoch_is_left, 8, "other_epoch_is_left"},
    {Switch::fill_on_any_run, 9, "fill_on_any_run", 1'000, false},
    {Switch::released_on_own_word, 10, "released_on_own_word"},
    {Switch::given_up_is_the_end, 11, "given_up_is_the_end"},
    {Switch::epoch_by_count, 12, "epoch_by_count"},
    {Switch::older_fill_counts, 12, "older_fill_counts"},
    {Switch::each_ticket_decides, 13, "each_ticket_decides"},
    {Switch::any_ledger, 14, "any_ledger"},
    {Switch::run_id_alone, 15, "run_id_alone", 5'000},
    {Switch::missing_key_is_empty, 16, "missing_key_is_empty", 5'000},
}};

}  // namespace sluice::cluster_simulation
