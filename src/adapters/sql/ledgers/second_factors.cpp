#include "adapters/sql/ledgers/second_factors.hpp"

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {

Task<std::optional<SecondFactor>> SecondFactorBook::find(UserId user) {
    return readers_.read<std::optional<SecondFactor>>([user](Database& database) {
        return database.row<SecondFactor>(sql::find_second_factor, user);
    });
}

Task<bool> SecondFactorBook::begin(UserId user, SealedSecret secret) {
    return writer_.write<bool>([user, secret](Database& database) {
        return database.run(sql::begin_second_factor, user, secret) > 0;
    });
}

Task<bool> SecondFactorBook::confirm(Confirmation confirmation) {
    return writer_.write<bool>([wanted = std::move(confirmation)](Database& database) {
        if (database.run(sql::confirm_second_factor, wanted.user, wanted.secret, wanted.step) == 0)
            return false;
        for (const auto& digest : wanted.recovery_codes)
            database.run(sql::add_recovery_code, wanted.user, digest);
        database.run(sql::strengthen_session, wanted.session);
        add_deed(database, wanted.deed);
        return true;
    });
}

Task<bool> SecondFactorBook::use_step(UserId user, std::int64_t step) {
    return writer_.write<bool>([user, step](Database& database) {
        return database.run(sql::use_totp_step, user, step) > 0;
    });
}

Task<bool> SecondFactorBook::use_recovery_code(UserId user, RecoveryDigest digest) {
    return writer_.write<bool>([user, digest](Database& database) {
        return database.run(sql::use_recovery_code, user, digest) > 0;
    });
}

Task<bool> SecondFactorBook::remove(UserId user, Deed deed) {
    return writer_.write<bool>([user, deed = std::move(deed)](Database& database) {
        database.run(sql::remove_recovery_codes, user);
        if (database.run(sql::remove_second_factor, user) == 0) return false;
        database.run(sql::weaken_sessions_of_user, user);
        add_deed(database, deed);
        return true;
    });
}

}  // namespace sluice::ledgers
