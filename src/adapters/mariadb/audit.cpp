#include "adapters/mariadb/audit.hpp"

#include <string>
#include <vector>

#include "adapters/mariadb/archive/archive_faults.hpp"
#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/ledgers/audit.hpp"
#include "base/outage.hpp"

namespace sluice::mariadb {

Outcome<AuditReport> audit(const ServerAddress& address, std::optional<SaleId> sale,
                           Timestamp now) {
    try {
        Connection connection(address, kLongPatience);
        connection.connect();
        verify_schema(connection);
        connection.begin_snapshot();
        const auto find_faults = [&](std::optional<SaleId> of) {
            return find_archive_faults(connection, of);
        };
        return ledgers::audit({.ledger = connection,
                               .archive = connection.archive(),
                               .find_archive_faults = find_faults},
                              sale, now);
    } catch (const SchemaError& error) {
        throw SchemaError(address.text() + ": " + error.what());
    } catch (const Error& error) {
        throw Outage(address.text() + ": " + error.what());
    }
}

}  // namespace sluice::mariadb
