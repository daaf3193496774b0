import { describe, expect, onTestFinished } from "vitest";

import { patience } from "./browser";
import { Crowd } from "./crowd";
import { stage } from "./stage";

const it = stage("operator");

describe("the live view", () => {
  it("steers a sale while two hundred buyers attack it", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 120 });
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("of 120").waitFor();
    const crowd = new Crowd(shop, sale, 200);
    onTestFinished(() => crowd.goHome());
    await page.getByText("All passed").waitFor();

    await visitor.sure("Pause");
    await page.getByRole("button", { name: "Resume" }).waitFor();
    const { left } = await shop.stock(sale);
    expect(left, "some have bought").toBeLessThan(120);
    expect(left, "and some are left").toBeGreaterThan(0);
    await visitor.look("console-live-paused");
    expect((await shop.stock(sale)).left, "nobody buys while it is paused").toBe(left);

    await visitor.sure("Resume");
    await page.locator(".badge.sold_out").waitFor();
    await visitor.press("Restock");
    await page.getByLabel("How many more").fill("lots");
    await page.getByRole("dialog").getByRole("button", { name: "Restock" }).click();
    await page.getByRole("dialog").locator(".wrong", { hasText: /./ }).waitFor();
    await visitor.look("console-restock");
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
    await visitor.look("console-live");
    await page.getByText("More", { exact: true }).click();
    await visitor.press("Wall screen");
    await page.getByRole("button", { name: "Leave the wall screen" }).waitFor();
    expect(page.url()).toContain("&wall");
    await visitor.lookAtWall("console-wall");

    await visitor.open(`/console/sale?id=${sale}`);
    await visitor.sure("End", "End it");
    await page.locator(".badge.ended").waitFor();
    await visitor.open("/console/trail");
    for (const deed of ["Ended the sale", "Restocked", "Resumed the sale", "Paused the sale"])
      await page.getByText(deed).first().waitFor();
    // In the page's words, not the API's.
    const restocked = page.locator("tr", { hasText: "Restocked" }).first();
    await restocked.locator(".changes", { hasText: "Left0 → 40" }).waitFor();
    await visitor.speak("zh");
    await page.locator(".changes", { hasText: "剩余0 → 40" }).waitFor();
    expect(await page.locator("tbody").innerText()).not.toContain("stock.");
    await visitor.speak("en");
    await visitor.look("console-trail");
  });

  it("does not turn an open dialog into another one", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await visitor.open(`/console/sale?id=${sale}`);
    await visitor.press("Pause");
    await page.getByRole("dialog").waitFor();
    await shop.operate(sale, "pause");
    await page.getByRole("button", { name: "Resume" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);

    const menu = page.locator("details.more-actions");
    await menu.locator("summary").click();
    await page.keyboard.press("Escape");
    expect(await menu.getAttribute("open")).toBeNull();
    await menu.locator("summary").click();
    await page.getByRole("heading", { level: 1 }).click();
    expect(await menu.getAttribute("open")).toBeNull();
  });

  it("shows one instant: what is left, held and sold fits the orders beside it", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 300 });
    const crowd = new Crowd(shop, sale, 60, 20);
    onTestFinished(() => crowd.goHome());
    await visitor.open(`/console/sale?id=${sale}`);
    await page.locator(".live-funnel .bars li").first().waitFor();
    const shown = () =>
      page.evaluate(() => {
        const figure = (part: string) =>
          Number(document.querySelector(part)!.textContent!.replace(/\D/g, ""));
        const bars = [...document.querySelectorAll(".live-funnel .bars li")];
        const orders = bars.find((bar) => /^Orders\d/.test(bar.textContent!))!;
        return {
          left: figure(".tile.left strong"),
          orders: Number(orders.querySelector("strong")!.textContent!.replace(/\D/g, "")),
        };
      });
    // Each order is of one unit, and none has expired.
    let seen = 0;
    await expect
      .poll(
        async () => {
          const { left, orders } = await shown();
          expect(orders).toBe(300 - left);
          if (orders > 0) seen++;
          return seen;
        },
        { timeout: patience, interval: 50 },
      )
      .toBeGreaterThan(20);
  });

  it("tells when nothing will be left, if it goes on like this", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 400 });
    const crowd = new Crowd(shop, sale, 150, 100);
    onTestFinished(() => crowd.goHome());
    await visitor.open(`/console/sale?id=${sale}`);
    await page.locator(".tile.rate", { hasText: "gone at" }).waitFor();
    expect(await page.locator(".chart").getAttribute("aria-label")).toMatch(/gone at about/);
    await visitor.look("console-live-open");
  });

  it("looks back at how the sale went", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 20 });
    const past = `/admin/sales/${sale}/stats/history?resolution=second`;
    for (const tokens of [shop.mint(2), shop.mint(3), shop.mint(4)]) {
      const { length } = (await shop.ask(past)).points;
      for (const token of tokens) await shop.buy(sale, token);
      await expect
        .poll(async () => (await shop.ask(past)).points.length, { timeout: patience })
        .toBeGreaterThan(length);
    }
    await visitor.open(`/console/sale?id=${sale}`);
    const left = page.locator(".tile.left strong");
    const orders = page
      .locator(".live-funnel .bars li", { hasText: /^Orders\d/ })
      .locator("strong");
    await page.getByLabel("How far back").waitFor();
    await orders.getByText("9").waitFor();
    await page.getByLabel("Look back").fill("0");
    await page.locator(".live-funnel").getByText(/^At /).waitFor();
    // What was ordered by then is what was not left then, at every instant.
    expect(Number(await left.innerText())).toBeGreaterThan(11);
    const instants = Number(await page.getByLabel("Look back").getAttribute("max"));
    for (let i = 0; i < instants; i++) {
      await page.getByLabel("Look back").fill(String(i));
      expect(Number(await orders.innerText()), `instant ${i}`).toBe(
        20 - Number(await left.innerText()),
      );
    }
    await page.getByLabel("Look back").fill("0");
    await visitor.look("console-live-past");
    await visitor.press("Live");
    await orders.getByText("9").waitFor();
    expect(await left.innerText()).toBe("11");
    await page.getByLabel("How far back").selectOption("month");
    await page.locator(".chart canvas").waitFor();
    expect(await left.innerText()).toBe("11");
  });

  it("has no green light without news of the last ten seconds", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await page.clock.install();
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("All passed").waitFor();
    await page.route("**/audit", () => {});
    await page.clock.fastForward(11_000);
    await page.getByText("Not known right now").waitFor();
    expect(await page.locator(".light.good").count()).toBe(0);
  });

  it("says which promise is broken, and which part is not well", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const { checks } = await shop.audit(sale);
    const detail = "sale 1 has 3 units more than it should";
    const notice = { rule: "some_rule", arguments: [], text: detail };
    const broken = { ...checks[0], holds: false, detail, notices: [notice] };
    const parts = [
      { name: "ledger", ready: false, detail: "", notices: [] },
      { name: "server", ready: true, detail: "", notices: [] },
    ];
    await page.route("**/audit", (route) =>
      route.fulfill({ json: { holds: false, checks: [broken, ...checks.slice(1)] } }),
    );
    await page.route("**/readyz", (route) =>
      route.fulfill({ status: 503, json: { ready: false, parts } }),
    );
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("A check failed").waitFor();
    await page.getByText("3 units more than it should").waitFor();
    await page.locator(".checks .bad", { hasText: "Ledger not ready" }).waitFor();
    await visitor.look("console-live-broken");
  });

  it("tells everything of checks and parts in Chinese", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    // Whatever the server really says, shown as if it were wrong.
    await page.route("**/audit", async (route) => {
      const response = await route.fetch();
      const { checks } = await response.json();
      const broken = checks.map((check: object) => ({ ...check, holds: false }));
      await route.fulfill({ response, json: { holds: false, checks: broken } });
    });
    await visitor.open(`/console/sale?id=${sale}`);
    await visitor.speak("zh");
    await page.getByText("总数 = 剩余 + 占用 + 已售").waitFor();
    const told = await page.locator(".live-health, .warnings").allInnerTexts();
    expect(told.join(" ")).not.toMatch(/\b[a-z]{4,}\b/);
    await visitor.look("console-live-chinese");
  });

  it("blocks a buyer, and leads to the limits", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const token = await shop.logIn(buyer);
    const { user } = await shop.ask("/sessions/current", token);
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("More", { exact: true }).click();
    await visitor.look("console-live-more");
    await visitor.press("Block a buyer or an address");
    await page.getByRole("dialog").getByLabel("Buyer or address").fill(user.id);
    await page.getByRole("dialog").getByLabel("Reason").fill("a script");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await shop.buy(sale, token)).status).toBe(403);
    await page.getByRole("link", { name: "Change limits" }).click();
    await page.waitForURL(/\/console\/limits/);
    await visitor.open("/console/trail");
    await page.locator("tr", { hasText: user.name }).getByText("Blocked").first().waitFor();
  });
});
