import type { Page, Route } from "playwright-core";
import { describe, expect } from "vitest";

import { patience } from "./browser";
import type { Shop } from "./shop";
import { stage } from "./stage";

const it = stage("shopper");

const buyButton = /^Buy for/;

// Requests that are never answered, so that what the page learns it has from the stream.
const silence = (_: Route) => {};

const opened = (page: Page) => page.waitForEvent("websocket");

const listening = (shop: Shop) => expect.poll(() => shop.streams(), { timeout: patience }).toBe(1);

describe("the stream", () => {
  it("is not opened by those who only look", async ({ shop, visitor }) => {
    const sale = await shop.sale();
    let streams = 0;
    visitor.page.on("websocket", () => streams++);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.state("idle");
    await visitor.open("/orders");
    await visitor.page.getByText("No orders yet").waitFor();
    expect(streams).toBe(0);
  });

  it("tells that an order is paid, on the sale's page, and is closed then", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    const stream = opened(page);
    await visitor.press(buyButton);
    await visitor.state("ordered");
    const socket = await stream;
    await listening(shop);
    await page.route("**/api/v1/orders/*", silence);
    const closed = socket.waitForEvent("close");
    await shop.pay(buyer);
    await page.getByText("It is yours").waitFor();
    await closed;
    expect(await page.getByText("Live updates do not get through").count()).toBe(0);
  });

  it("tells it on the order's page too", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const order = await shop.orderFor(buyer);
    const stream = opened(page);
    await visitor.open(`/order?id=${order}`);
    await stream;
    await listening(shop);
    await page.route("**/api/v1/orders/*", silence);
    await shop.pay(buyer);
    await page.getByText("It is yours").waitFor();
  });

  it("is not contradicted by an answer that was asked for before", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const order = await shop.orderFor(buyer);
    let asked = 0;
    let release = () => {};
    const late = new Promise<void>((done) => (release = done));
    await page.route("**/api/v1/orders/*", async (route) => {
      const answer = await route.fetch();
      if (++asked > 1) await late;
      await route.fulfill({ response: answer });
    });
    const second = page.waitForRequest(() => asked === 1);
    await visitor.open(`/order?id=${order}`);
    await page.getByText("Pay within").waitFor();
    await second;
    await listening(shop);
    await shop.pay(buyer);
    await page.getByText("It is yours").waitFor();
    const answered = page.waitForResponse(/\/api\/v1\/orders\/\d+$/);
    release();
    await (await answered).finished();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.getByText("It is yours").isVisible()).toBe(true);
  });

  it("tells whoever watches that a unit is back, also after a reload", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 1 });
    await shop.buy(sale, shop.mint(1)[0]!);
    await visitor.open(`/sale?id=${sale}`);
    const first = opened(page);
    await visitor.press("Tell me when one comes back");
    await page.getByText("Watching.").waitFor();
    await first;
    const watched = opened(page).then((socket) => socket.waitForEvent("framesent"));
    await page.reload();
    await page.getByText("Watching.").waitFor();
    await watched;
    await listening(shop);
    await page.route(`**/api/v1/sales/${sale}`, silence);
    await shop.operate(sale, "restock", { delta: 2 });
    await page.getByText("2 units are for sale again").waitFor();
    await expect.poll(() => page.title()).toContain("Units are back");
    await visitor.press(buyButton);
    await visitor.state("ordered");
    await expect.poll(() => page.title()).toContain("Celadon");
  });

  it("is closed when nobody watches any more", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 0 });
    await visitor.open(`/sale?id=${sale}`);
    const stream = opened(page);
    await visitor.press("Tell me when one comes back");
    const socket = await stream;
    const closed = socket.waitForEvent("close");
    await visitor.press("Stop watching");
    await closed;
    await page.reload();
    await page.getByRole("button", { name: "Tell me when one comes back" }).waitFor();
  });

  it("is done without where it is blocked, with a note", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    await page.routeWebSocket("**/api/v1/stream", (socket) => void socket.close());
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("ordered");
    await page.getByText("Live updates do not get through").waitFor();
    await visitor.look("sale-stream-blocked");
    await shop.pay(buyer);
    await page.getByText("It is yours").waitFor();
    await page.getByText("Live updates do not get through").waitFor({ state: "detached" });
  });

  it("comes back after the server was away", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const order = await shop.orderFor(buyer);
    const first = opened(page);
    await visitor.open(`/order?id=${order}`);
    await first;
    visitor.serverIsDown(true);
    await shop.kill();
    await page.locator(".strip").waitFor();
    await shop.restart();
    await page.locator(".strip").waitFor({ state: "detached" });
    await listening(shop);
    await page.route("**/api/v1/orders/*", silence);
    await shop.pay(buyer);
    await page.getByText("It is yours").waitFor();
  });
});
