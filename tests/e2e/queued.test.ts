// A purchase that waits in the queue: what the buyer reads until it is decided, and then.

import { describe, expect } from "vitest";

import { smallPhone } from "./browser";
import { queueFor, tickets } from "./queue";
import { stage, stageOn } from "./stage";

const buyButton = /^Buy for/;

describe("a ticket in the queue", () => {
  const it = stage("shopper");

  it("says what it promises, what not, and how long it takes", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await queueFor(page, sale, 250);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    await page.getByText(/^To be decided in about 04:\d\d, at the present pace\.$/).waitFor();
    await page.getByText("Your ticket is taken and kept for good.").waitFor();
    await page.getByText("It is not an order yet.").waitFor();
    await visitor.look("sale-queued-long");
  });

  it("that takes longer than estimated says so", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await queueFor(page, sale, 1);
    // From then on nobody answers: the estimate runs out.
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    await page.route(tickets, () => {});
    await page.getByText("It takes longer than we thought.").waitFor();
  });

  it("is listed in My orders, and becomes an order there", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await queueFor(page, sale);
    await page.routeWebSocket("**/api/v1/stream", (socket) => void socket.close());
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    // The embedded server has the order already; it is shown when the ticket says so.
    await page.route("**/api/v1/orders?*", (route) =>
      route.fulfill({ json: { orders: [], next_cursor: null } }),
    );
    await page.getByRole("link", { name: "My orders" }).last().click();
    await page.locator(".queued-tickets").getByText("In the queue").waitFor();
    await visitor.look("orders-queued");
    await page.unroute("**/api/v1/orders?*");
    await page.unroute(tickets);
    await page.getByText("Waiting for payment").waitFor();
    expect(await page.locator(".queued-tickets").count()).toBe(0);
  });

  it("that is refused says why, also after a reload", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const { decided } = await queueFor(page, sale);
    await page.routeWebSocket("**/api/v1/stream", (socket) => void socket.close());
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    const { ticket } = await decided;
    await page.unroute(tickets);
    const refused = { ticket, sale_id: sale, state: "refused", reason: "sold_out" };
    await page.route(tickets, (route) => route.fulfill({ json: refused }));

    await visitor.state("refused");
    await page.getByText("Your ticket did not become an order").waitFor();
    await page.getByText("when your turn came no unit was left").waitFor();
    await page.getByText("Nothing was charged").waitFor();
    await visitor.look("sale-queued-refused");
    await page.reload();
    await visitor.state("refused");
  });

  it("that was refused while its buyer was away is told in My orders", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const { decided } = await queueFor(page, sale);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    const { ticket } = await decided;
    const refused = { ticket, sale_id: sale, state: "refused", reason: "conflict" };
    await visitor.open("/");
    await page.unroute(tickets);
    await page.route(tickets, (route) => route.fulfill({ json: refused }));
    await visitor.open("/orders");
    await page.getByText("The shop could not write your order").waitFor();
    await visitor.look("orders-refused");
    await visitor.press("OK");
    await page.locator(".queued-tickets").waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Waiting for payment").waitFor();
    expect(await page.locator(".queued-tickets").count()).toBe(0);
  });
});

describe("on a phone", () => {
  const it = stageOn(smallPhone, "shopper");

  it("the queue is in view when it begins", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await queueFor(page, sale);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("queued");
    const seen = page.getByText("You are in the queue");
    const box = (await seen.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThan(smallPhone.height);
    await visitor.glance("phone-queued");
  });
});
