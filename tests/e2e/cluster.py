"""A cluster of three nodes behind nginx, each request at a node by chance, for the browser tests.

    cluster.py FOLDER OPERATOR_PHONE

Prints one line of JSON when it is open. It ends when its input does."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "integration"))

from cluster import Cluster  # noqa: E402
from nginx_proxy import Nginx  # noqa: E402


def main(folder, operator_phone):
    folder = Path(folder)
    cluster = Cluster(folder, nodes=3, env={"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.1"})
    cluster.operator_phone = operator_phone
    with cluster:
        nginx = Nginx(folder / "nginx", [node.port for node in cluster.nodes], choice="random").start()
        try:
            print(json.dumps({"url": f"http://127.0.0.1:{nginx.port}", "nodes": [node.url for node in cluster.nodes],
                              "data": str(cluster.nodes[0].data), "env": cluster.env}), flush=True)
            sys.stdin.read()
        finally:
            nginx.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
