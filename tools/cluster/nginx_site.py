"""deploy/nginx/sluice.conf, filled in for nodes on this machine.

The file that shops copy is the one that the cluster and the tests run: only the lines that a shop changes
too are replaced, and a line that is not found is an error.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "deploy/nginx/sluice.conf"
BROTLI = Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")
THIS_MACHINE = "127.0.0.0/8"

# One process, so that its id is all that a script needs to end it.
AROUND = """\
daemon off;
master_process off;
worker_rlimit_nofile 65536;
load_module {brotli};
pid "{folder}/nginx.pid";
error_log stderr warn;
events {{ worker_connections 16384; }}
http {{
    client_body_temp_path "{folder}/temporary";
    proxy_temp_path "{folder}/temporary";
    fastcgi_temp_path "{folder}/temporary";
    uwsgi_temp_path "{folder}/temporary";
    scgi_temp_path "{folder}/temporary";
    include "{folder}/sluice.conf";
}}
"""


@dataclass
class Site:
    port: int
    nodes: list  # the ports of the nodes, all at 127.0.0.1
    web: Path  # the folder of the pages
    offices: list = None  # the ports of admin_listen; by default those of the nodes
    office_network: str = THIS_MACHINE
    choice: str = "random two least_conn"  # how a node is chosen
    connections_per_address: int = 2000
    certificate: Path = None  # with its key: https, else http
    key: Path = None


def write(folder, site):
    """The whole configuration of an nginx in `folder`. Returns the file to start it with."""
    folder = Path(folder)
    if not BROTLI.exists():
        raise FileNotFoundError(f"{BROTLI} is not there: install libnginx-mod-http-brotli-static")
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    (folder / "sluice.conf").write_text(render(site, folder / "access.log"))
    main = folder / "nginx.conf"
    main.write_text(AROUND.format(folder=folder, brotli=BROTLI))
    return main


def render(site, access_log):
    text = SHIPPED.read_text()
    text = _with_nodes(text, 8080, site.nodes)
    text = _with_nodes(text, 8081, site.offices or site.nodes)
    text = _replaced(text, "    random two least_conn;", f"    {site.choice};", times=2)
    text = _replaced(text, "    10.0.0.0/8 1;  # yours\n", f"    {site.office_network} 1;\n")
    text = _replaced(text, "    root /usr/share/sluice/web;  # yours\n", f'    root "{site.web}";\n')
    text = _replaced(text, "access_log /var/log/nginx/sluice.log sluice;", f'access_log "{access_log}" sluice;')
    text = _replaced(text, "limit_conn sluice_addresses 2000;",
                     f"limit_conn sluice_addresses {site.connections_per_address};")
    text = _without_redirect(text)
    text = _replaced(text, "    listen [::]:443 ssl http2;\n", "")
    text = _replaced(text, "    server_name shop.example.com;  # yours\n", "    server_name localhost;\n")
    text = _with_tls(text, site) if site.certificate else _without_tls(text, site)
    if ";  # yours" in text:
        raise ValueError("deploy/nginx/sluice.conf has a line to change that nobody here knows")
    return text


def _with_nodes(text, example_port, ports):
    lines = re.compile(rf"(?:^    server 10\.0\.0\.\d+:{example_port} (.*;)  # yours\n)+", re.M)
    if len(lines.findall(text)) != 1:
        raise ValueError(f"deploy/nginx/sluice.conf does not name its nodes at port {example_port} once")
    return lines.sub(lambda found: "".join(f"    server 127.0.0.1:{port} {found[1]}\n" for port in ports), text)


def _without_redirect(text):
    begin, end = text.find("# ---- Plain http leads to https"), text.find("# ---- The shop ")
    if not 0 < begin < end:
        raise ValueError("deploy/nginx/sluice.conf has lost the headings around its redirect")
    return text[:begin] + text[end:]


def _with_tls(text, site):
    text = _replaced(text, "listen 443 ssl http2;", f"listen 127.0.0.1:{site.port} ssl http2;")
    text = _replaced(text, "/etc/ssl/sluice/fullchain.pem;  # yours", f'"{site.certificate}";')
    return _replaced(text, "/etc/ssl/sluice/key.pem;  # yours", f'"{site.key}";')


def _without_tls(text, site):
    text = _replaced(text, "listen 443 ssl http2;", f"listen 127.0.0.1:{site.port} backlog=4096;")
    return re.sub(r"(?m)^    ssl_.*\n", "", text)


def _replaced(text, old, new, times=1):
    if text.count(old) != times:
        raise ValueError(f"deploy/nginx/sluice.conf has {old.strip()!r} {text.count(old)} times, not {times}")
    return text.replace(old, new)
