import type { WebSocketRoute } from "playwright-core";
import { describe, expect } from "vitest";

import { queueFor, tickets } from "./queue";
import { password } from "./shop";
import { stage } from "./stage";

const it = stage("shopper");

const buyButton = /^Buy for/;

describe("a server that is killed", () => {
  it("after it took the purchase and before it could say so", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ limit_per_buyer: 5 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: buyButton }).waitFor();
    let lost = false;
    await visitor.page.route("**/orders/*", async (route) => {
      if (lost || route.request().method() !== "POST") return route.continue();
      lost = true;
      visitor.serverIsDown(true);
      await route.fetch();
      await shop.kill();
      await route.abort();
    });
    await visitor.press(buyButton);
    await visitor.state("waiting");
    await visitor.page.getByText("The shop does not answer").first().waitFor();
    await visitor.look("sale-away");

    // Nor does it matter if the page is loaded anew when it is back.
    await shop.restart();
    await visitor.page.reload();
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
    expect(await shop.audit(sale)).toMatchObject({ holds: true });
  });

  it("before the purchase reached it; the page goes on by itself", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale({ limit_per_buyer: 5 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: buyButton }).waitFor();
    visitor.serverIsDown(true);
    await shop.kill();
    await visitor.press(buyButton);
    await visitor.state("waiting");
    await shop.restart();
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("and is still away: the page says so, and keeps what it knows", async ({ shop, visitor }) => {
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: buyButton }).waitFor();
    visitor.serverIsDown(true);
    await shop.kill();
    await visitor.page.locator(".strip").waitFor();
    expect(await visitor.page.getByRole("heading", { level: 1 }).innerText()).toContain("Celadon");
    await shop.restart();
    await visitor.page.locator(".strip").waitFor({ state: "detached" });
  });
});

describe("a slow server", () => {
  it("shows what is being done, in each state, and a reload finds the purchase", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale({ limit_per_buyer: 5 });
    await visitor.open(`/sale?id=${sale}`);
    // Held back until the page that asked is gone.
    await visitor.page.route("**/orders/*", () => {});
    await visitor.press(buyButton);
    await visitor.state("checking");
    await visitor.look("sale-checking");
    // Nothing moves for those who asked for that.
    expect(await visitor.page.evaluate(() => document.getAnimations().length)).toBe(0);
    await visitor.page.unroute("**/orders/*");
    await visitor.page.reload();
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("has the shopper queue, with a ticket that a reload finds and the stream settles", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const { decided } = await queueFor(page, sale);
    // A page may open its stream again, and nobody listens to those of a page which was left. So all
    // of them tell the news, also those that come later.
    const streams: WebSocketRoute[] = [];
    let news = "";
    await page.routeWebSocket("**/api/v1/stream", (stream) => {
      streams.push(stream);
      if (news) stream.send(news);
    });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    await expect.poll(() => streams.length).toBeGreaterThan(0);
    await visitor.look("sale-queued");
    await page.reload();
    await visitor.state("queued");
    news = JSON.stringify({ type: "ticket", ...(await decided) });
    for (const stream of streams) stream.send(news);
    await visitor.state("ordered");
  });

  it("has the shopper queue without a stream too", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await page.routeWebSocket("**/api/v1/stream", (socket) => void socket.close());
    await queueFor(page, sale);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    await page.getByText("Live updates do not get through").waitFor();
    await page.unroute(tickets);
    await visitor.state("ordered");
  });

  it.for([
    [429, "rate_limited", "A little slower, please", "sale-too-fast"],
    [429, "gate_closed", "Many people are buying right now", "sale-gate"],
    [429, "pass_lapsed", "Your last pass expired unused", "sale-pass-lapsed"],
    [429, "place_missed", "A place was kept for you, and you did not come", "sale-place-missed"],
    [429, "left_unpaid", "You left orders of this sale unpaid", "sale-left-unpaid"],
    [429, "network_full", "Many people of your network have not paid yet", "sale-network-full"],
    [503, "busy", "Very busy right now", "sale-busy"],
  ] as const)(
    "has the shopper wait, with the seconds: %i %s",
    async ([status, why, said, name], { shop, visitor }) => {
      const { page } = visitor;
      const sale = await shop.sale();
      const codes: string[] = ["rate_limited", "gate_closed", "busy"];
      const told = codes.includes(why) ? { code: why } : { code: "gate_closed", reason: why };
      let refused = 0;
      await page.route("**/passes", async (route) => {
        if (refused++ > 0) return route.continue();
        await route.fulfill({
          status,
          headers: { "Retry-After": "60", "Content-Type": "application/problem+json" },
          body: JSON.stringify({ ...told, title: said, detail: "", status }),
        });
      });
      await visitor.open(`/sale?id=${sale}`);
      await visitor.press(buyButton);
      await visitor.state("waiting");
      await page.getByText(said).waitFor();
      await page.getByText(/Next try in [67]\d s/).waitFor();
      await visitor.look(name);
      await visitor.press("Stop trying");
      await visitor.press(buyButton);
      await visitor.state("ordered");
    },
  );
});

describe("a session that ends under a purchase", () => {
  it("is begun again, and the purchase goes on", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    // The page asks for its session when it opens. Only after that it does not notice its end.
    const asked = page.waitForResponse((answer) => answer.url().endsWith("/sessions/current"));
    await visitor.open(`/sale?id=${sale}`);
    await asked;
    await page.getByRole("button", { name: buyButton }).waitFor();
    // What it then asks for its buyer would notice it too.
    await page.waitForLoadState("networkidle");
    await visitor.context.clearCookies();
    await visitor.press(buyButton);
    await visitor.state("signed_out");
    await visitor.look("sale-signed-out");
    await page.locator(".purchase").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Phone").fill(buyer);
    await page.getByLabel("Password").fill(password);
    await visitor.press("Log in");
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });
});
