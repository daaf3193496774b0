#include "adapters/sql/ledgers/sessions.hpp"

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/user_rows.hpp"
#include "domain/block.hpp"

namespace sluice::ledgers {

namespace {

std::optional<Session> find_session(Database& database, const SessionKey& key, Timestamp now) {
    return database.row<SessionRow>(sql::find_session, key, now).transform(to_session);
}

std::vector<SessionKey> find_keys(Database& database, UserId user) {
    return database.rows<SessionKey>(sql::find_sessions_of_user, user).to_vector();
}

}  // namespace

Task<std::optional<Session>> Sessions::add(OpenedSession opened) {
    return writer_.write<std::optional<Session>>([opened = std::move(opened)](Database& database) {
        const auto& [key, user, password_hash, expires_at, ends_at, strong, network] = opened;
        database.run(sql::add_session, key, user, password_hash, expires_at, ends_at, strong,
                     network ? to_string(BlockSubject(*network)) : std::string{});
        return find_session(database, key, Timestamp{});
    });
}

Task<std::optional<Session>> Sessions::find(SessionKey key, Timestamp now) {
    return readers_.read<std::optional<Session>>(
        [key, now](Database& database) { return find_session(database, key, now); });
}

Task<std::vector<SessionKey>> Sessions::extend(std::vector<Extension> extensions) {
    return writer_.write<std::vector<SessionKey>>(
        [extensions = std::move(extensions)](Database& database) {
            std::vector<SessionKey> gone;
            for (const auto& extension : extensions)
                if (database.run(sql::extend_session, extension.key, extension.expires_at) == 0)
                    gone.push_back(extension.key);
            return gone;
        });
}

Task<Done> Sessions::remove(SessionKey key) {
    return writer_.write<Done>([key](Database& database) {
        database.run(sql::remove_session, key);
        return Done{};
    });
}

Task<std::vector<SessionKey>> Sessions::keys_of(UserId user) {
    return readers_.read<std::vector<SessionKey>>(
        [user](Database& database) { return find_keys(database, user); });
}

Task<std::vector<SessionKey>> Sessions::remove_all(UserId user, std::optional<Deed> deed) {
    return writer_.write<std::vector<SessionKey>>(
        [user, deed = std::move(deed)](Database& database) {
            auto keys = find_keys(database, user);
            database.run(sql::remove_sessions_of_user, user);
            if (deed) add_deed(database, *deed);
            return keys;
        });
}

Task<std::size_t> Sessions::prune(Timestamp now, std::size_t limit) {
    return writer_.write<std::size_t>(
        [now, limit](Database& database) { return database.run(sql::prune_sessions, now, limit); });
}

}  // namespace sluice::ledgers
