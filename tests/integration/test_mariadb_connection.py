"""How the program reaches a MariaDB server over the network and by TLS, and what it says when it may not."""

import pytest

from certificates import Authority
from mariadb_server import MariaDbServer
from process import eventually, put_ledgers_on, run
from shop import open_shop

PASSWORD = "längs 'of the' \\shop"
QUICKLY = 30  # seconds, also on a machine that is busy with other things


class Site:
    """A server that speaks TLS, an authority that signed its certificate, and one that did not."""

    def __init__(self, folder):
        for name in ("ours", "theirs"):
            (folder / name).mkdir()
        self.authority, self.stranger = Authority(folder / "ours"), Authority(folder / "theirs")
        own = self.authority.sign("IP:127.0.0.1")
        self.client = self.authority.sign("DNS:shop.example")
        self.server = MariaDbServer(options={
            "innodb_flush_method": "nosync", "ssl_ca": self.authority.certificate,
            "ssl_cert": own["certificate"], "ssl_key": own["key"]}).start()
        for user, demand in (("plain", "NONE"), ("encrypted", "SSL"), ("certified", "X509")):
            with self.server.connect() as connection:
                connection.run(f"CREATE USER {user}@'127.0.0.1' IDENTIFIED BY '{PASSWORD.replace(chr(39), chr(39) * 2)}' "
                               f"REQUIRE {demand}")
                connection.run(f"GRANT ALL ON `shop\\_%`.* TO {user}@'127.0.0.1'")

    def put_ledgers_here(self, user, host="127.0.0.1", **settings):
        named = {f"SLUICE_LEDGER_{name.upper()}": str(value) for name, value in settings.items()}
        put_ledgers_on(self.server, lambda database: {
            "SLUICE_LEDGER_URL": f"mariadb://{host}:{self.server.port}/{database}", "SLUICE_LEDGER_USER": user,
            **({} if "password_file" in settings else {"SLUICE_LEDGER_PASSWORD": PASSWORD}), **named})


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    yield site
    site.server.remove()


@pytest.fixture(autouse=True)
def in_files_again():
    yield
    put_ledgers_on(None)


def sells(folder):
    shop = open_shop(folder)
    try:
        sale = shop.sale(stock=2)["id"]
        shop.bought(shop.buyer(), sale)
        assert shop.stock(sale)["held"] == 1
        shop.audit()
    finally:
        shop.stop()
    return shop


def refused(data):
    """What a start and a command say; neither may take long."""
    said = [run(*command, "--data", data, timeout=QUICKLY)
            for command in (("migrate",), ("serve", "--listen", "127.0.0.1:0"))]
    assert all(done.returncode == 1 for done in said), said
    assert all(PASSWORD not in done.stderr + done.stdout for done in said)
    return said[0].stderr + said[1].stderr


def test_over_tcp_with_a_password_from_the_environment(site, tmp_path):
    site.put_ledgers_here("plain")
    sells(tmp_path)


def test_over_tcp_with_a_password_from_a_file(site, tmp_path):
    (tmp_path / "password").write_text(PASSWORD + "\n")
    site.put_ledgers_here("plain", password_file=tmp_path / "password")
    sells(tmp_path)


def test_localhost_with_a_port_is_reached_over_tcp(site, tmp_path):
    """The C library would take "localhost" for the socket of the system's server."""
    site.put_ledgers_here("plain", host="localhost")
    sells(tmp_path)


def test_a_wrong_password_is_said(site, tmp_path):
    (tmp_path / "password").write_text("another\n")
    site.put_ledgers_here("plain", password_file=tmp_path / "password")
    said = refused(tmp_path / "data")
    assert "Access denied for user 'plain'@'127.0.0.1'" in said and str(site.server.port) in said


def test_a_server_that_is_not_there_is_said(site, tmp_path):
    site.put_ledgers_here("plain")
    gone = MariaDbServer()  # has chosen a free port, and is never started
    put_ledgers_on(site.server, lambda database: {"SLUICE_LEDGER_URL": f"mariadb://{gone.address}/{database}",
                                                  "SLUICE_LEDGER_PASSWORD": PASSWORD})
    said = refused(tmp_path / "data")
    assert f"cannot connect to mariadb://{gone.address}/" in said
    gone.remove()


@pytest.mark.parametrize("tls", ["on", "checked"])
def test_a_user_that_must_encrypt(site, tmp_path, tls):
    site.put_ledgers_here("encrypted", tls=tls, tls_ca=site.authority.certificate)
    shop = sells(tmp_path)
    done = run("backup", "--data", shop.server.data, tmp_path / "copy.db")
    assert done.returncode == 0, done.stderr


def test_a_user_that_must_encrypt_and_does_not(site, tmp_path):
    site.put_ledgers_here("encrypted", tls="off")
    assert "Access denied for user 'encrypted'" in refused(tmp_path / "data")


def test_an_authority_that_did_not_sign_is_refused(site, tmp_path):
    site.put_ledgers_here("encrypted", tls="checked", tls_ca=site.stranger.certificate)
    said = refused(tmp_path / "data")
    assert f"cannot connect to mariadb://{site.server.address}/" in said and "certificate" in said, said


def test_the_systems_authorities_do_not_know_ours(site, tmp_path):
    site.put_ledgers_here("encrypted", tls="checked")
    assert "certificate" in refused(tmp_path / "data")


def test_a_certificate_for_another_name_is_refused(site, tmp_path):
    other = site.authority.sign("DNS:db.example.com")
    site.server.restart(ssl_cert=other["certificate"], ssl_key=other["key"])
    try:
        site.put_ledgers_here("encrypted", tls="checked", tls_ca=site.authority.certificate)
        said = refused(tmp_path / "data")
        assert f"cannot connect to mariadb://{site.server.address}/" in said, said
        assert "certificate" in said, said
    finally:
        site.server.restart()


def test_a_server_without_tls_is_refused_when_it_is_asked_for(site, tmp_path):
    plain = MariaDbServer(options={"innodb_flush_method": "nosync", "skip_ssl": 1}).start()
    try:
        put_ledgers_on(plain, lambda database: {
            "SLUICE_LEDGER_URL": f"mariadb://{plain.address}/{database}", "SLUICE_LEDGER_USER": "root",
            "SLUICE_LEDGER_TLS": "on"})
        said = refused(tmp_path / "data")
        assert "SSL" in said or "TLS" in said, said
    finally:
        plain.remove()


def test_a_certificate_of_our_own_where_the_server_wants_one(site, tmp_path):
    site.put_ledgers_here("certified", tls="checked", tls_ca=site.authority.certificate,
                          tls_cert=site.client["certificate"], tls_key=site.client["key"])
    sells(tmp_path)
    site.put_ledgers_here("certified", tls="checked", tls_ca=site.authority.certificate)
    assert "Access denied for user 'certified'" in refused(tmp_path / "other")


def ledger_part(shop):
    parts = shop.visitor.get("/readyz", api=False).body["parts"]
    return next(part for part in parts if part["name"] == "ledger")


def test_a_running_shop_that_may_not_encrypt_any_more_says_so_and_recovers(site, tmp_path):
    """The server comes back with a certificate that nobody signed for us, and then with its own."""
    site.put_ledgers_here("encrypted", tls="checked", tls_ca=site.authority.certificate)
    shop = open_shop(tmp_path)
    try:
        sale = shop.sale(stock=5, limit_per_buyer=5)["id"]
        buyer = shop.buyer()
        shop.bought(buyer, sale)
        false = site.stranger.sign("IP:127.0.0.1")
        site.server.restart(ssl_cert=false["certificate"], ssl_key=false["key"])
        try:
            eventually(lambda: "certificate" in ledger_part(shop)["detail"], QUICKLY, "the reason")
            assert not ledger_part(shop)["ready"]
        finally:
            site.server.restart()
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, QUICKLY, "/readyz green")
        shop.bought(buyer, sale)
        shop.audit()
    finally:
        shop.stop()
