#pragma once

#include <array>
#include <filesystem>

#include "domain/proof_of_work.hpp"
#include "domain/session_token.hpp"
#include "domain/ticket.hpp"
#include "domain/webhook.hpp"

namespace sluice {

/// The secrets of one installation, all derived from one key in the data folder.
struct Keys {
    SessionTokens::MasterKey sessions;
    std::array<unsigned char, 32> receipts;
    std::array<unsigned char, 16> limits;
    TicketMarks::Key tickets;  // offered to the ledger, which keeps its first one
    WebhookSecrets::Key webhooks;
    std::array<unsigned char, 32> devices;         // that have logged in before
    std::array<unsigned char, 32> second_factors;  // seals the secrets of second factors
    std::array<unsigned char, 32> phone_codes;
    WorkChallenges::Key work_challenges;     // for an entry desk that outlives the process
    std::array<unsigned char, 32> sandbox;   // signs what the built-in payment provider sends
    std::array<unsigned char, 16> identity;  // not a secret: identifies the master key
    std::array<unsigned char, 32>
        pass_keys;  // seals the keys of passes where several nodes read them
};

/// Reads `master.key`, or makes it (mode 0600) when it is absent; safe when two processes do so at
/// once. Throws KeyError when it is damaged or when others could read it.
Keys load_keys(const std::filesystem::path& data);

}  // namespace sluice
