import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { launch, Visitor } from "./browser";
import { Shop } from "./shop";

let browser: Browser;
let shop: Shop;
let operator: Visitor;
let crowd: Crowd | null = null;

beforeAll(async () => {
  [browser, shop] = await Promise.all([launch(), Shop.open("--demo")]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
});
beforeEach(async () => {
  operator = await Visitor.enter(browser, shop);
  await operator.logIn(shop.operatorPhone);
});
afterEach(async () => {
  await crowd?.goHome();
  crowd = null;
  await operator.leave();
});

// Comes in over a while. Each buyer asks until they have one, or until it is time to go home.
class Crowd {
  readonly orders = new Set<string>();
  private home = false;
  private readonly people: Promise<void>[];

  constructor(sale: string, tokens: string[]) {
    this.people = tokens.map((token, i) => this.attack(sale, token, i * 80));
  }

  private async attack(sale: string, token: string, after: number): Promise<void> {
    await new Promise((done) => setTimeout(done, after));
    while (!this.home) {
      const { status, body } = await shop.buy(sale, token);
      if (body.order_id) this.orders.add(body.order_id);
      if (status === 201) return;
      await new Promise((done) => setTimeout(done, 400 + Math.random() * 400));
    }
  }

  async goHome(): Promise<void> {
    this.home = true;
    await Promise.all(this.people);
  }
}

async function sure(deed: string, yes = deed) {
  await operator.press(deed);
  const dialog = operator.page.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: yes, exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

describe("the console", () => {
  it("is for operators", async () => {
    const buyer = await Visitor.enter(browser, shop);
    await buyer.open("/console/");
    await buyer.page.getByText("Log in as an operator").waitFor();
    await buyer.look("console-logged-out");
    await buyer.logIn(await shop.register());
    await buyer.open("/console/trail");
    await buyer.page.getByText("The console is for operators").waitFor();
    await buyer.leave();
  });

  it("lists the sales", async () => {
    await operator.open("/console/");
    await operator.page.locator("tbody tr").first().waitFor();
    expect(await operator.page.locator("tbody tr").count()).toBeGreaterThanOrEqual(4);
    await operator.look("console-sales");
  });

  it("makes an item and a sale, with the server's complaints at their fields", async () => {
    const { page } = operator;
    await operator.open("/console/item");
    await page.getByLabel("List price").fill("cheap");
    await operator.press("Save");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    expect(await page.getByLabel("List price").getAttribute("aria-invalid")).toBe("true");
    await operator.look("console-item-wrong");
    await page.getByLabel("Title").fill("Paper lantern · 纸灯笼");
    await page.getByLabel("Description").fill("Folds flat.");
    await page.getByLabel("List price").fill("129.50");
    await operator.press("Save");
    await page.waitForURL(/\/console\/items/);
    const row = page.locator("tr", { hasText: "Paper lantern" });
    await row.getByText("129.50").waitFor();
    await operator.look("console-items");

    await row.getByRole("link", { name: /Plan a sale/ }).click();
    await page.waitForURL(/\/console\/plan\?item=/);
    await page.getByLabel("Price", { exact: true }).fill("49");
    await page.getByLabel("Stock").fill("12.5");
    await operator.press("Create the sale");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    expect(await page.getByLabel("Stock").getAttribute("aria-invalid")).toBe("true");
    await operator.look("console-plan-wrong");
    await page.getByLabel("Stock").fill("12");
    await operator.press("Create the sale");
    await page.waitForURL(/\/console\/sale\?id=/);
    await page.getByRole("heading", { name: /Paper lantern/ }).waitFor();
    await page.getByText("of 12").waitFor();

    const id = new URL(page.url()).searchParams.get("id")!;
    await operator.open(`/console/plan?id=${id}`);
    await page.getByText("This sale has begun").waitFor();
    await page.getByLabel("Limit for each buyer").fill("3");
    await operator.press("Save");
    await page.waitForURL(/\/console\/sale\?id=/);
    expect((await shop.call("GET", `/sales/${id}`)).body.limit_per_buyer).toBe(3);
    await operator.open(`/console/plan?clone=${id}`);
    await page.getByRole("button", { name: "Create the sale" }).waitFor();
    expect(await page.getByLabel("Stock").inputValue()).toBe("12");
  });

  it("steers a sale while two hundred buyers attack it", async () => {
    const { page } = operator;
    const sale = await shop.sale({ stock: 120 });
    await operator.open(`/console/sale?id=${sale}`);
    await page.getByText("of 120").waitFor();
    crowd = new Crowd(sale, shop.mint(200));
    await page.getByText("All promises hold").waitFor();

    await sure("Pause");
    await page.getByRole("button", { name: "Resume" }).waitFor();
    const { left } = await shop.stock(sale);
    expect(left, "some have bought").toBeLessThan(120);
    expect(left, "and some are left").toBeGreaterThan(0);
    await operator.look("console-live-paused");
    expect((await shop.stock(sale)).left, "nobody buys while it is paused").toBe(left);

    await sure("Resume");
    await page.locator(".badge.sold_out").waitFor();
    await operator.press("Restock");
    await page.getByLabel("How many more").fill("lots");
    await page.getByRole("dialog").getByRole("button", { name: "Restock" }).click();
    await page.getByRole("dialog").locator(".wrong", { hasText: /./ }).waitFor();
    await operator.look("console-restock");
    await page.getByLabel("How many more").fill("40");
    await page.getByRole("dialog").getByRole("button", { name: "Restock" }).click();
    await page.getByText("of 160").waitFor();
    await page.locator(".badge.sold_out").waitFor();
    await crowd.goHome();

    expect(crowd.orders.size).toBe(160);
    expect(await shop.stock(sale)).toMatchObject({
      total: 160,
      left: 0,
      held: 160,
    });
    expect(await shop.audit(sale)).toMatchObject({ holds: true });
    await operator.look("console-live");
    await page.getByText("More", { exact: true }).click();
    await operator.press("Wall screen");
    await page.getByRole("button", { name: "Leave the wall screen" }).waitFor();
    expect(page.url()).toContain("&wall");
    await operator.look("console-wall");

    await operator.open(`/console/sale?id=${sale}`);
    await sure("End", "End it");
    await page.locator(".badge.ended").waitFor();
    await operator.open("/console/trail");
    for (const deed of ["Ended the sale", "Restocked", "Resumed the sale", "Paused the sale"])
      await page.getByText(deed).first().waitFor();
    await operator.look("console-trail");
  });

  it("shows the sale's own figures and its past, where the server keeps them", async () => {
    const { page } = operator;
    const sale = await shop.sale({ stock: 60 });
    const stock = (left: number) => ({
      total: 60,
      left,
      held: 60 - left,
      sold: 0,
    });
    const steps = {
      visits: 4321,
      challenges: 0,
      passes: 90,
      attempts: 80,
      claims: 60,
      orders: 60,
    };
    const figures = (at: number, left: number) => ({
      at: new Date(at).toISOString(),
      funnel: {
        ...steps,
        paid: 50,
        expired: 3,
        refusals: { sold_out: 17, gate_closed: 3 },
      },
      stock: stock(left),
      backlog: 5,
      latency: { p50_ms: 1.25, p90_ms: 2, p99_ms: 8.75, p999_ms: 9 },
    });
    const minute = 60_000;
    const points = [40, 30, 20, 10].map((ago) => figures(Date.now() - ago * minute, ago + 20));
    await page.route("**/stats", (route) => route.fulfill({ json: figures(Date.now(), 60) }));
    await page.route("**/stats/history?*", (route) => route.fulfill({ json: { points } }));
    await operator.open(`/console/sale?id=${sale}`);
    await page.locator(".bars li", { hasText: "Visits" }).getByText("4,321").waitFor();
    await page.locator(".bars li", { hasText: "Gate full" }).getByText("3").waitFor();
    await page.getByText("8.8 ms").waitFor();
    await page.getByText("The last hour").waitFor();
    await page.getByLabel("Look back").fill("0");
    await page.locator(".tile.left", { hasText: "60" }).waitFor();
    await page.getByLabel("Look back").fill("1");
    await page.locator(".tile.left", { hasText: "50" }).waitFor();
    await operator.look("console-live-past");
    await operator.press("Live");
    await page.locator(".tile.left", { hasText: "60" }).waitFor();
  });

  it("changes roles, and blocks and unblocks a buyer", async () => {
    const { page } = operator;
    const phone = await shop.register("Wang Fang 王芳");
    await operator.open("/console/users");
    await page.getByLabel("Find by phone").fill(phone);
    await page.getByLabel("Find by phone").press("Enter");
    const row = page.locator("tr", { hasText: phone });
    await row.waitFor();
    await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Block" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("buys with a script");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    const block = page.locator("tr", { hasText: "buys with a script" });
    await block.waitFor();
    await operator.look("console-users");
    const sale = await shop.sale();
    expect((await shop.buy(sale, await shop.logIn(phone))).status).toBe(403);
    await block.getByRole("button", { name: "Lift" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift" }).click();
    await block.waitFor({ state: "detached" });
    expect((await shop.buy(sale, await shop.logIn(phone))).status).toBe(201);

    await operator.press("Block a buyer or an address");
    await page.getByRole("dialog").getByLabel("Buyer or address").fill("127.0.0.1");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("dialog").locator(".notice.bad").waitFor();
    await operator.look("console-block-refused");
    await page.getByRole("dialog").getByRole("button", { name: "Leave it" }).click();

    await row.getByRole("button", { name: "Change role" }).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("operator");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await row.locator(".badge.role-operator").waitFor();
  });

  it("changes the limits, and gives one back", async () => {
    const { page } = operator;
    await operator.open("/console/limits");
    const field = page.getByRole("textbox", { name: "Buying · per minute" });
    await field.fill("fast");
    await operator.press("Save 1 change");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".notice.bad").waitFor();
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await field.fill("77");
    await operator.press("Save 1 change");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator(".source-operator").waitFor();
    expect(await field.inputValue()).toBe("77");
    await operator.look("console-limits");
    await operator.press("Back to the configuration");
    await dialog.getByRole("button", { name: "Back to the configuration" }).click();
    await page.locator(".source-operator").waitFor({ state: "detached" });
  });

  it.each([
    ["orders", "console-orders"],
    ["webhooks", "console-webhooks"],
  ])("shows %s, or says that this server has none", async (place, name) => {
    await operator.open(`/console/${place}`);
    await operator.page.locator(".table, .empty").first().waitFor();
    await operator.look(name);
  });

  it("says so when an order or a sale is not there", async () => {
    await operator.open("/console/order?id=1");
    await operator.page.getByText("Order not found").waitFor();
    await operator.look("console-order-missing");
    await operator.open("/console/sale?id=1");
    await operator.page.getByText("There is no such sale").waitFor();
  });
});
