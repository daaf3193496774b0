"""A sale with a crowd of buyers, all of them through nginx, and what came of it."""

import argparse
import collections
import http.client
import json
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from .trouble import Trouble

MOST_BUYERS = 5_000
AT_ONCE = 64  # buyers who ask at the same time
GIVES_UP_AFTER = 120  # seconds, for the whole crowd


def add_arguments(parser):
    parser.add_argument("--buyers", type=_count, default=300, metavar="N", help="how many (default: 300)")
    parser.add_argument("--units", type=_count, default=100, metavar="N", help="the stock of the sale (default: 100)")


def _count(text):
    if not text.isdigit() or not 1 <= int(text) <= MOST_BUYERS:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {MOST_BUYERS:,}")
    return int(text)


def run(cluster, arguments):
    missing = [part.name for part in cluster.parts if not cluster.is_running(part)]
    if missing:
        print(f"Not running: {', '.join(missing)}. The demo goes on without.")
    operator = Caller(cluster.nginx.port).log_in(cluster.state["operator"])
    sale = make_sale(cluster, operator, arguments.units)
    print(f"A sale of {arguments.units} units; the console shows it at {cluster.nginx.url}/console/sale?id={sale}")
    print(f"making {arguments.buyers} buyers", flush=True)
    node = next((node for node in cluster.nodes if cluster.is_running(node)), cluster.nodes[0])
    tokens = node.run("mint", "--buyers", arguments.buyers).split()
    mark = cluster.nginx.access_log.stat().st_size
    crowd = Crowd(cluster.nginx.port, sale, tokens)
    crowd.run()
    return report(cluster, operator, sale, crowd, mark)


def make_sale(cluster, operator, units):
    status, item = operator.ask("POST", "/admin/items", {
        "title": "Demo kettle", "list_price_cents": 19900, "currency": "CNY"})
    expect(status, 201, item)
    wait_until_all_know(cluster, f"/items/{item['id']}")
    status, sale = operator.ask("POST", "/admin/sales", {"item_id": item["id"], "price_cents": 9900, "stock": units})
    expect(status, 201, sale)
    wait_until_all_know(cluster, f"/sales/{sale['id']}")
    return sale["id"]


def wait_until_all_know(cluster, path):
    """A node hears of a new item or sale within a moment. Until then it says that there is none."""
    deadline = time.monotonic() + GIVES_UP_AFTER
    for node in filter(cluster.is_running, cluster.edges):
        while Caller(node.port).ask("GET", path)[0] != 200:
            if time.monotonic() > deadline:
                raise Trouble(f"{node.name} does not know {path} after {GIVES_UP_AFTER} s: "
                              f"`./dev cluster logs {node.name}` may tell why.")
            time.sleep(0.1)


def expect(status, wanted, body):
    if status != wanted:
        raise Trouble(f"The shop answered {status}: {body.get('detail', body)} `./dev cluster status` may tell why.")


class Caller:
    """One connection to the API, opened again when it was closed."""

    def __init__(self, port, token=None):
        self.port, self.token, self.connection = port, token, None

    def log_in(self, login):
        status, body = self.ask("POST", "/sessions", login)
        expect(status, 201, body)
        self.token = body["token"]
        return self

    def ask(self, method, path, body=None):
        """(status, body). 0: there was no answer."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.connection and method == "GET":
            self.close()  # a kept connection may have ended meanwhile, and looks are few
        self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            self.connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, {"code": "no_answer"}

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Crowd:
    """Each buyer asks until they have one unit, or hear that none is left."""

    def __init__(self, port, sale, tokens):
        self.port, self.sale, self.tokens = port, sale, tokens
        self.lock = threading.Lock()
        self.ends = collections.Counter()  # how it ended for each buyer
        self.answers = collections.Counter()  # "201", "409 sold_out", ...
        self.tickets = {}  # ticket -> the token of its buyer
        self.queued = {}  # those of them that nobody has decided yet
        self.refused = 0  # tickets that were queued and came to nothing
        self.deadline = None

    def run(self):
        """All ask; then those whose tickets are queued wait until they are decided. Whoever is refused then asks
        again."""
        self.began = time.monotonic()
        self.deadline = self.began + GIVES_UP_AFTER
        self._all(self._buy, self.tokens)
        self.answered = time.monotonic() - self.began
        while self.queued and time.monotonic() < self.deadline:
            again = [token for token in self._all(self._follow, list(self.queued.items())) if token]
            self._all(self._buy, again)
        self.seconds = time.monotonic() - self.began

    def _all(self, act, each):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = [pool.submit(act, one) for one in each]
            while not all(result.done() for result in results):
                time.sleep(0.5)
                self._show_progress()
        return [result.result() for result in results]

    def _show_progress(self):
        with self.lock:
            queued = f"{len(self.queued)} queued, " if self.queued else ""
            print(f"  {time.monotonic() - self.began:5.1f} s  {self.ends['bought']} bought, {queued}{self.ends['sold out']} "
                  f"found it sold out, {len(self.tokens) - sum(self.ends.values()) - len(self.queued)} are still trying",
                  flush=True)

    def _buy(self, token):
        caller = Caller(self.port, token)
        end = "gave up"
        while time.monotonic() < self.deadline:
            status, body = self._count(caller.ask("POST", f"/sales/{self.sale}/passes"))
            if status == 201:
                status, body = self._use(caller, body["pass"])
            if body.get("code") in ("sold_out", "limit_reached", "ended"):
                end = "sold out"
                break
            if status == 201:
                end = "bought"
                break
            if status == 202:
                return  # how it ends is told by the ticket
            time.sleep(random.uniform(0.1, 0.5))
        caller.close()
        with self.lock:
            self.ends[end] += 1

    def _follow(self, queued):
        """Looks at a ticket until it is decided. Returns the token of its buyer if it was refused."""
        ticket, token = queued
        caller = Caller(self.port, token)
        state = "queued"
        while state == "queued" and time.monotonic() < self.deadline:
            status, body = caller.ask("GET", f"/tickets/{ticket}")
            state = body["state"] if status == 200 else "queued"
            if state == "queued":
                time.sleep(random.uniform(0.05, 0.2))
        caller.close()
        with self.lock:
            if state != "queued":
                del self.queued[ticket]
            if state == "ordered":
                self.ends["bought"] += 1
            elif state == "refused":
                self.refused += 1
                del self.tickets[ticket]
        return token if state == "refused" else None

    def _use(self, caller, pass_):
        """The same request again while there is no clear answer: it is the same purchase."""
        while True:
            status, body = self._count(caller.ask("POST", f"/sales/{self.sale}/orders/{pass_}"))
            if status in (201, 202):
                with self.lock:
                    self.tickets[body["ticket"]] = caller.token
                    if status == 202:
                        self.queued[body["ticket"]] = caller.token
            if status not in (0, 503) or time.monotonic() > self.deadline:
                return status, body
            time.sleep(random.uniform(0.1, 0.5))

    def _count(self, answer):
        status, body = answer
        with self.lock:
            self.answers[f"{status or ''} {body.get('code', '')}".strip()] += 1
        return answer


def report(cluster, operator, sale, crowd, mark):
    stock = read_stock(operator, sale, len(crowd.tickets))
    status, audit = operator.ask("GET", f"/admin/sales/{sale}/audit")
    expect(status, 200, audit)
    found = sum(Caller(cluster.nginx.port, token).ask("GET", f"/tickets/{ticket}")[0] == 200
                for ticket, token in crowd.tickets.items())
    orders = count_orders(operator, sale)
    wanted = min(stock["total"], len(crowd.tokens))
    facts = [
        (f"{stock['total']} units: {stock['held'] + stock['sold']} sold, {stock['left']} left",
         stock["held"] + stock["sold"] == wanted),
        (f"{orders} orders", orders == stock["held"] + stock["sold"]),
        (f"{len(crowd.tickets)} tickets were told to buyers, {found} are found again",
         found == len(crowd.tickets) == orders),
        ("the audit of the sale: " + ("every promise holds" if audit["holds"] else "BROKEN"), audit["holds"])]
    print(f"\nAfter {crowd.seconds:.1f} s, {sum(crowd.answers.values())} requests:")
    if crowd.answers["202"]:
        facts.append((f"all were answered after {crowd.answered:.1f} s and decided after {crowd.seconds:.1f} s; "
                      f"{crowd.refused} queued tickets were refused, {len(crowd.queued)} are still queued",
                      not crowd.queued))
    print("  answers: " + ", ".join(f"{count} × {name}" for name, count in crowd.answers.most_common()))
    print("  " + ", ".join(f"{name} answered {count}" for name, count in requests_of_nodes(cluster, mark)))
    for text, holds in facts:
        print(f"  {'ok   ' if holds else 'WRONG'} {text}")
    return 0 if all(holds for _, holds in facts) else 1


def read_stock(operator, sale, sold):
    """As a node shows it. Of what others have sold it hears within a second."""
    deadline = time.monotonic() + 10
    while True:
        status, body = operator.ask("GET", f"/sales/{sale}")
        expect(status, 200, body)
        stock = body["stock"]
        if stock["held"] + stock["sold"] == sold or time.monotonic() > deadline:
            return stock
        time.sleep(0.2)


def count_orders(operator, sale):
    count, cursor = 0, None
    while True:
        status, page = operator.ask("GET", f"/admin/orders?sale_id={sale}&limit=100" + (f"&cursor={cursor}" if cursor else ""))
        expect(status, 200, page)
        count += len(page["orders"])
        cursor = page["next_cursor"]
        if not cursor:
            return count


def requests_of_nodes(cluster, mark):
    """From the log of nginx: how many requests since `mark` each node had."""
    with open(cluster.nginx.access_log, errors="replace") as log:
        log.seek(mark)
        ports = collections.Counter(port for line in log for port in re.findall(r"127\.0\.0\.1:(\d+)", line.partition("node=")[2]))
    return [(node.name, ports[str(node.port)]) for node in cluster.edges]
