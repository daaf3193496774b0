#include "domain/block.hpp"

#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr int kMapped = 96;  // where the bits of an IPv4 address begin
constexpr int kWidestV4 = kMapped + 8;
constexpr int kWidestV6 = 16;
constexpr int kNarrowestV6 = 64;

Outcome<BlockSubject> no_subject() {
    return refuse({{"subject", Rule::not_block_subject}});
}

}  // namespace

Outcome<BlockSubject> parse_block_subject(std::string_view text) {
    if (const auto buyer = UserId::parse(text)) return *buyer;
    auto network = Network::parse(text);
    if (!network) return no_subject();
    if (network->base.is_v4()) {
        if (network->prefix < kWidestV4) return no_subject();
    } else {
        if (text.find('/') == text.npos) network->prefix = kNarrowestV6;
        if (network->prefix < kWidestV6 || network->prefix > kNarrowestV6) return no_subject();
    }
    return network->canonical();
}

std::string to_string(const BlockSubject& subject) {
    if (const auto* buyer = std::get_if<UserId>(&subject)) return buyer->text();
    const auto& network = std::get<Network>(subject);
    return network.prefix == 128 ? network.base.text() : network.text();
}

bool covers(const Network& network, const Address& address) {
    return network.base.is_v4() == address.is_v4() && network.contains(address);
}

std::vector<FieldError> check_block(std::string_view reason, std::optional<Timestamp> until,
                                    Timestamp now) {
    std::vector<FieldError> errors;
    if (count_characters(reason) > 200)
        errors.push_back({"reason", Complaint(Rule::most_characters, 200)});
    else if (has_control_characters(reason, false))
        errors.push_back({"reason", Rule::has_control_characters});
    if (until && *until <= now) errors.push_back({"until", Rule::not_in_future});
    return errors;
}

std::optional<Refusal> why_not_put(const BlockFacts& facts, const std::optional<Block>& before) {
    if (!facts.is_subject_known) return Refusal{Reason::not_found};
    if (facts.present != before) return Refusal{Reason::conflict, Detail::changed_meanwhile};
    if (!before && facts.count >= kMostBlocks)
        return Refusal{Reason::conflict, Detail::too_many_blocks};
    return std::nullopt;
}

std::optional<Refusal> why_not_removed(const std::optional<Block>& present, const Block& block) {
    if (present != block) return Refusal{Reason::conflict, Detail::changed_meanwhile};
    return std::nullopt;
}

}  // namespace sluice
