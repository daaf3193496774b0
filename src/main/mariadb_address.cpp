#include "main/mariadb_address.hpp"

#include "base/check.hpp"
#include "config/ledger_url.hpp"
#include "main/data_folder.hpp"
#include "main/password.hpp"

namespace sluice {
namespace {

mariadb::Tls tls_of(LedgerTls tls) {
    switch (tls) {
        case LedgerTls::off:
            return mariadb::Tls::off;
        case LedgerTls::on:
            return mariadb::Tls::on;
        case LedgerTls::checked:
            return mariadb::Tls::checked;
    }
    CHECK(false, "every kind is known");
}

}  // namespace

mariadb::ServerAddress mariadb_address(const Config& config) {
    const auto& ledger = config.ledger;
    const auto url = LedgerUrl::parse(ledger.url);
    CHECK(url.has_value(), "the configuration was checked");
    return {
        .host = url->host,
        .port = url->port,
        .socket = url->socket,
        .database = url->database,
        .user = ledger.user,
        .password = read_password(ledger.password, ledger.password_file, "ledger.password_file"),
        .tls = tls_of(ledger.tls),
        .tls_ca = ledger.tls_ca.string(),
        .tls_cert = ledger.tls_cert.string(),
        .tls_key = ledger.tls_key.string()};
}

}  // namespace sluice
