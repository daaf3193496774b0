#include "adapters/sql/ledgers/settings.hpp"

#include <tuple>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {
namespace {

std::optional<SettingsLedger::TicketKey> find_ticket_key(Database& database) {
    return database.row<SettingsLedger::TicketKey>(sql::find_ticket_key);
}

}  // namespace

Task<std::vector<SettingsLedger::Setting>> Settings::load() {
    return readers_.read<std::vector<Setting>>([](Database& database) {
        std::vector<Setting> settings;
        for (auto& [name, value] :
             database.rows<std::tuple<std::string, std::int64_t>>(sql::load_settings))
            settings.push_back({std::move(name), value});
        return settings;
    });
}

Task<Done> Settings::change(std::vector<Change> changes, Deed deed) {
    return writer_.write<Done>(
        [changes = std::move(changes), deed = std::move(deed)](Database& database) {
            for (const auto& change : changes) {
                if (change.value)
                    database.run(sql::put_setting, change.name, *change.value, deed.at);
                else
                    database.run(sql::forget_setting, change.name);
            }
            add_deed(database, deed);
            return Done{};
        });
}

Task<SettingsLedger::TicketKey> Settings::ticket_key(TicketKey offered) {
    const auto known = co_await readers_.read<std::optional<TicketKey>>(find_ticket_key);
    if (known) co_return *known;
    auto keep = [offered](Database& database) {
        database.run(sql::add_ticket_key, offered);
        return find_ticket_key(database).value();
    };
    const auto kept = co_await writer_.write<TicketKey>(std::move(keep));
    co_return kept;
}

}  // namespace sluice::ledgers
