"""deploy/redis/sluice.conf, filled in for this machine.

The file that shops copy is the one that the cluster and the tests run: only the lines below "# yours" are
replaced, and a line that is not found is an error.
"""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "deploy/redis/sluice.conf"
MARK = "# yours\n"


@dataclass
class Site:
    port: int
    folder: Path
    password: str  # of the user sluice
    admin_password: str
    memory: str = "512mb"
    certificate: Path = None  # with its key and who signed those of the nodes: TLS, else none
    key: Path = None
    authority: Path = None


def render(site):
    text = SHIPPED.read_text()
    text = _replaced(text, MARK + "bind 10.0.0.21\n", "bind 127.0.0.1\n")
    text = _with_tls(text, site) if site.certificate else _without_tls(text, site)
    text = _replaced(text, MARK + "user sluice on >SECRET ", f"user sluice on >{site.password} ")
    text = _replaced(text, MARK + "user admin on >SECRET ", f"user admin on >{site.admin_password} ")
    text = _replaced(text, MARK + "maxmemory 2gb\n", f"maxmemory {site.memory}\n")
    if MARK in text:
        raise ValueError("deploy/redis/sluice.conf has a line to change that nobody here knows")
    return text + f'dir "{site.folder}"\ndaemonize no\n'


def _with_tls(text, site):
    text = _replaced(text, "tls-port 6379\n", f"tls-port {site.port}\n")
    text = _replaced(text, MARK + "tls-cert-file /etc/redis/tls/redis.pem\n", f'tls-cert-file "{site.certificate}"\n')
    text = _replaced(text, MARK + "tls-key-file /etc/redis/tls/redis.key\n", f'tls-key-file "{site.key}"\n')
    return _replaced(text, MARK + "tls-ca-cert-file /etc/redis/tls/nodes-ca.pem\n",
                     f'tls-ca-cert-file "{site.authority}"\n')


def _without_tls(text, site):
    begin, end = text.find("# Nothing without TLS"), text.find("# ---- What its users may do")
    if not 0 < begin < end:
        raise ValueError("deploy/redis/sluice.conf has lost its part about TLS")
    return text[:begin] + f"port {site.port}\n" + text[end:]


def _replaced(text, old, new):
    if text.count(old) != 1:
        raise ValueError(f"deploy/redis/sluice.conf has {old.strip()!r} {text.count(old)} times, not once")
    return text.replace(old, new)
