// The real server as a child process, with an operator, and what tests make in it. With SLUICE_E2E_CLUSTER in the
// environment it is three nodes behind nginx, and each request goes to any of them.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const root = resolve(__dirname, "../..");
const binary = resolve(process.env.SLUICE_BINARY ?? join(root, "build/release/sluice"));
export const password = "correct horse battery";
const startsWithinMilliseconds = 30_000;
const busyMilliseconds = 500;
const onCluster = Boolean(process.env.SLUICE_E2E_CLUSTER);
const heardWithinMilliseconds = 30_000;
const lookAgainMilliseconds = 50;

export type Json = Record<string, any>;
export type Answer = { status: number; body: Json };

// Without the caller's settings, so that only the test decides.
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("SLUICE_")),
  ),
  SLUICE_LIMITS_ENABLED: "false",
  SLUICE_PAYMENTS_PROVIDER: "sandbox",
};

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

export class Shop {
  private process: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), "sluice-e2e-"));
  private data = join(this.folder, "data");
  private settings: Record<string, string> = {}; // of the program, where the ledger is elsewhere
  private nodes: string[] = []; // their addresses, if there are several
  private scout = ""; // the token of somebody who looks whether all nodes sell
  private operatorToken = "";
  private serial = 0;
  private printed = "";
  url = "";
  readonly operatorPhone = "+8613800000000";

  static async open(...options: string[]): Promise<Shop> {
    const shop = new Shop();
    if (onCluster) return shop.openCluster(options);
    shop.command(
      ["user", "add", "--phone", shop.operatorPhone, "--role", "admin", "--password-stdin"],
      password,
    );
    await shop.start("127.0.0.1:0", options);
    shop.operatorToken = await shop.logIn(shop.operatorPhone);
    return shop;
  }

  private async openCluster(options: string[]): Promise<Shop> {
    if (options.length) throw new Error("the nodes of a cluster take no options here");
    const script = join(root, "tests/e2e/cluster.py");
    const child = spawn("/usr/bin/python3", [script, this.folder, this.operatorPhone], {
      env: { ...environment, SLUICE_BINARY: binary },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.process = child;
    const line = await new Promise<string>((done, fail) => {
      child.stdout!.on("data", (chunk: Buffer) => {
        this.printed += chunk.toString();
        if (this.printed.includes("\n")) done(this.printed);
      });
      child.on("exit", () => fail(new Error(`it ended: ${this.printed}`)));
    });
    const said = JSON.parse(line) as Json;
    this.url = said.url;
    this.nodes = said.nodes;
    this.data = said.data;
    this.settings = said.env;
    this.operatorToken = await this.logIn(this.operatorPhone);
    [this.scout = ""] = this.mint(1);
    return this;
  }

  // What one node has written, the others know a moment later: all show it when this is true.
  private async byAll(look: (node: string) => Promise<boolean>, what: string): Promise<void> {
    const deadline = Date.now() + heardWithinMilliseconds;
    for (;;) {
      const seen = await Promise.all(this.nodes.map(look));
      if (seen.every(Boolean)) return;
      if (Date.now() > deadline) throw new Error(`not all nodes have heard of ${what}`);
      await pause(lookAgainMilliseconds);
    }
  }

  // All show the sale as the node does that has changed it, and none says that it is unavailable: each has its copy.
  private async saleHeardByAll(sale: string): Promise<void> {
    const show = async (node: string) => {
      const { now, ...shown } = (await (
        await fetch(`${node}/api/v1/sales/${sale}`)
      ).json()) as Json;
      return JSON.stringify(shown);
    };
    const asked = async (node: string) => {
      const answer = await fetch(`${node}/api/v1/sales/${sale}/passes`, {
        method: "POST",
        headers: { Authorization: `Bearer ${this.scout}` },
      });
      return ((await answer.json()) as Json).code;
    };
    const agree = async () => new Set(await Promise.all(this.nodes.map(show))).size === 1;
    await this.byAll(agree, `sale ${sale}`);
    await this.byAll(async (node) => (await asked(node)) !== "unavailable", `a copy of ${sale}`);
  }

  private async itemHeardByAll(item: string): Promise<void> {
    await this.byAll(
      async (node) => (await fetch(`${node}/api/v1/items/${item}`)).status === 200,
      `item ${item}`,
    );
  }

  command(words: string[], input = ""): string {
    return execFileSync(binary, [...words, "--data", this.data], {
      input: `${input}\n`,
      env: { ...environment, ...this.settings },
      encoding: "utf8",
    });
  }

  private start(listen: string, options: string[] = []): Promise<void> {
    const child = spawn(binary, ["serve", "--data", this.data, "--listen", listen, ...options], {
      env: environment,
    });
    this.process = child;
    this.printed = "";
    return new Promise((done, fail) => {
      const timer = setTimeout(
        () => fail(new Error(`no start: ${this.printed}`)),
        startsWithinMilliseconds,
      );
      const heard = (chunk: Buffer) => {
        this.printed += chunk.toString();
        const found = /Sluice is open at (http:\/\/127\.0\.0\.1:\d+)/.exec(this.printed);
        if (!found) return;
        clearTimeout(timer);
        this.url = found[1]!;
        done();
      };
      child.stdout.on("data", heard);
      child.stderr.on("data", heard);
      child.on("exit", () => fail(new Error(`it ended: ${this.printed}`)));
    });
  }

  // As a power cut does it.
  async kill(): Promise<void> {
    const child = this.process!;
    if (child.exitCode !== null || child.signalCode !== null) return; // no exit will be told again
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  restart(): Promise<void> {
    return this.start(new URL(this.url).host);
  }

  async close(): Promise<void> {
    if (onCluster) await this.endCluster();
    else await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  private async endCluster(): Promise<void> {
    const child = this.process!;
    const ended = new Promise((done) => child.once("exit", done));
    child.stdin!.end();
    await ended;
  }

  // Again while the server is busy, as it asks its clients to: other tests may load the machine.
  async call(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const answer = await this.send(method, path, body, token);
    const again = onCluster ? ["busy", "unavailable"] : ["busy"];
    if (answer.status !== 503 || !again.includes(answer.body.code)) return answer;
    await pause(busyMilliseconds);
    return this.call(method, path, body, token);
  }

  private async send(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said = await response.text();
    return {
      status: response.status,
      body: said ? (JSON.parse(said) as Json) : {},
    };
  }

  private async made(
    method: string,
    path: string,
    body?: unknown,
    token = this.operatorToken,
  ): Promise<Json> {
    const answer = await this.call(method, path, body, token);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  async logIn(phone: string): Promise<string> {
    return (await this.made("POST", "/sessions", { phone, password }, "")).token as string;
  }

  async register(name = "Li Na 李娜"): Promise<string> {
    const phone = `+86139${String(++this.serial).padStart(8, "0")}`;
    await this.made("POST", "/users", { phone, password, name }, "");
    return phone;
  }

  // As who logs out everywhere does it, on another device.
  async endSessions(phone: string): Promise<void> {
    await this.made("DELETE", "/sessions", undefined, await this.logIn(phone));
  }

  async item(more: Json = {}): Promise<Json> {
    const item = await this.made("POST", "/admin/items", {
      title: "Celadon tea set · 青瓷茶具",
      description: "Six cups, one pot, no hurry.\n六杯一壶，不急不躁。",
      image_url: "/assets/demo/tea-set.svg",
      list_price_cents: 29_900,
      currency: "CNY",
      ...more,
    });
    if (onCluster) await this.itemHeardByAll(item.id);
    return item;
  }

  async sale(more: Json = {}): Promise<string> {
    const item_id = (more.item_id as string | undefined) ?? (await this.item()).id;
    const draft = { item_id, price_cents: 9900, stock: 10, ...more };
    const { id } = await this.made("POST", "/admin/sales", draft);
    if (onCluster) await this.saleHeardByAll(id);
    return id as string;
  }

  async operate(sale: string, deed: string, body?: unknown): Promise<Json> {
    const done = await this.made("POST", `/admin/sales/${sale}/${deed}`, body);
    if (onCluster) await this.saleHeardByAll(sale);
    return done;
  }

  async edit(sale: string, change: Json): Promise<Json> {
    const done = await this.made("PUT", `/admin/sales/${sale}`, change);
    if (onCluster) await this.saleHeardByAll(sale);
    return done;
  }

  // Phones or ids, as the list of the sale.
  async list(sale: string, ...buyers: string[]): Promise<void> {
    const answer = await fetch(`${this.url}/api/v1/admin/sales/${sale}/list`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${this.operatorToken}`, "Content-Type": "text/csv" },
      body: `phone_or_id\n${buyers.join("\n")}\n`,
    });
    if (answer.status !== 200) throw new Error(`the list of ${sale}: ${await answer.text()}`);
    if (onCluster) await this.saleHeardByAll(sale);
  }

  limit(change: Json): Promise<Json> {
    return this.made("PUT", "/admin/limits", change);
  }

  // What buyers are asked for at an order.
  askBuyersFor(fields: Json): Promise<Json> {
    return this.made("PUT", "/admin/contact-fields", fields);
  }

  async stock(sale: string): Promise<Json> {
    if (onCluster) await this.saleHeardByAll(sale);
    return (await this.made("GET", `/sales/${sale}`)).stock as Json;
  }

  ask(path: string, token?: string): Promise<Json> {
    return this.made("GET", path, undefined, token);
  }

  audit(sale: string): Promise<Json> {
    return this.made("GET", `/admin/sales/${sale}/audit`);
  }

  // Tokens of so many new buyers.
  mint(count: number): string[] {
    return this.command(["mint", "--buyers", String(count)])
      .trim()
      .split("\n");
  }

  // The phone of somebody new who works for the shop.
  staff(role: "support" | "operator"): string {
    const phone = `+86138${String(++this.serial).padStart(8, "1")}`;
    this.command(["user", "add", "--phone", phone, "--role", role, "--password-stdin"], password);
    return phone;
  }

  // As a program does it: a pass, and what came of it.
  async buy(sale: string, token: string): Promise<Answer> {
    const pass = await this.call("POST", `/sales/${sale}/passes`, {}, token);
    if (pass.status !== 201) return pass;
    return this.call("POST", `/sales/${sale}/orders/${pass.body.pass}`, {}, token);
  }

  async streams(): Promise<number> {
    const page = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^sluice_streams_open (\d+)/m.exec(page)?.[1]);
  }

  // The order of a new sale, for this buyer.
  async orderFor(phone: string): Promise<string> {
    const { body } = await this.buy(await this.sale(), await this.logIn(phone));
    return body.order_id as string;
  }

  // As the buyer does it at the sandbox: their latest order.
  async pay(phone: string): Promise<void> {
    const [order] = await this.ordersOf(phone);
    const token = await this.logIn(phone);
    const { pay_url } = await this.made("POST", `/orders/${order!.id}/payments`, undefined, token);
    const bill = (pay_url as string).split("/").pop();
    await fetch(`${this.url}/sandbox/bills/${bill}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ button: "succeed" }),
    });
  }

  refund(order: string): Promise<Json> {
    return this.made("POST", `/admin/orders/${order}/refund`);
  }

  cancel(order: string, token: string): Promise<Json> {
    return this.made("POST", `/orders/${order}/cancel`, undefined, token);
  }

  async ordersOf(phone: string): Promise<Json[]> {
    return (await this.made("GET", "/orders", undefined, await this.logIn(phone))).orders as Json[];
  }
}
