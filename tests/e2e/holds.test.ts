import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";

import type { Visitor } from "./browser";
import type { Shop } from "./shop";
import { stage } from "./stage";

const it = stage("operator");

const networks = "Networks by lapses, then by units held";
const buyers = "Buyers by lapses, then by units held";

// Somebody who has let an order of the sale lapse and holds the next one.
async function squatter(shop: Shop, sale: string, name: string): Promise<string> {
  const token = await shop.logIn(await shop.register(name));
  const { body } = await shop.buy(sale, token);
  await shop.cancel(body.order_id as string, token);
  expect((await shop.buy(sale, token)).status).toBe(201);
  return token;
}

async function openHolds(visitor: Visitor, sale: string): Promise<void> {
  await visitor.open(`/console/sale?id=${sale}`);
  await visitor.page.getByRole("heading", { name: "Unpaid holds" }).click();
  await visitor.page.getByRole("region", { name: buyers }).waitFor();
}

const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole("region", { name: table }).locator("tbody tr", { hasText: text });

describe("unpaid holds", () => {
  it("are seen, and released with a block", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 3 });
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByRole("heading", { name: "Unpaid holds" }).click();
    await page.getByText("Nothing is held right now.").waitFor();
    await page.getByText("Nobody holds units, and no order has lapsed.").first().waitFor();
    await visitor.look("console-holds-none");

    const token = await squatter(shop, sale, "Zhao Lei 赵磊");
    await squatter(shop, sale, "Chen Jie 陈洁");
    await openHolds(visitor, sale);
    const row = rowOf(page, buyers, "Zhao Lei");
    await row.getByText("127.0.0.1").waitFor();
    await row.getByText("1 order · 1 unit", { exact: true }).waitFor();
    await rowOf(page, networks, "127.0.0.1")
      .getByText("2 orders · 2 units", { exact: true })
      .waitFor();
    await page.locator(".live-holds .bars li", { hasText: "0–1 min" }).waitFor();
    await visitor.look("console-holds");

    // With the keyboard alone.
    await row.getByRole("button", { name: "Block and release stock" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("heading", { name: "Block Zhao Lei 赵磊 and release what is held?" })
      .waitFor();
    await dialog.getByText("1 order · 1 unit: these orders are cancelled").waitFor();
    await visitor.look("console-holds-sure");
    await dialog.getByLabel("Reason").fill("holds and never pays");
    await page.keyboard.press("Enter");
    await page
      .getByText("Zhao Lei 赵磊 is blocked. 1 order · 1 unit are for sale again.")
      .first()
      .waitFor();
    await row.getByText("Blocked").waitFor();
    expect(await row.getByRole("button").count(), "nothing is left to do").toBe(0);
    await visitor.look("console-holds-done");
    expect(await shop.stock(sale)).toMatchObject({ left: 2, held: 1 });
    expect((await shop.buy(sale, token)).status).toBe(403);
    expect(await shop.audit(sale)).toMatchObject({ holds: true });

    await visitor.open("/console/trail");
    const deed = page.locator("tr", { hasText: "Released holds" }).first();
    await deed.locator(".changes", { hasText: "Orders1" }).waitFor();
    await page.locator("tr", { hasText: "holds and never pays" }).first().waitFor();
  });

  it("of one's own network stay, and the dialog says why", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 3 });
    await squatter(shop, sale, "Sun Yue 孙悦");
    await squatter(shop, sale, "Ma Chao 马超");
    await openHolds(visitor, sale);
    const row = rowOf(page, networks, "127.0.0.1");
    await row.getByRole("button", { name: "Block and release stock" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 buyers of this sale are in this network.").waitFor();
    await dialog.getByRole("button", { name: "Block and release stock" }).click();
    await dialog.locator(".notice.bad").waitFor();
    await visitor.look("console-holds-refused");
    expect(await shop.stock(sale)).toMatchObject({ left: 1, held: 2 });
  });

  it("of somebody who is blocked can still be released", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 3 });
    const token = await squatter(shop, sale, "Gao Min 高敏");
    const { id } = (await shop.ask("/sessions/current", token)).user;
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("More", { exact: true }).click();
    await visitor.press("Block a buyer or an address");
    await page.getByRole("dialog").getByLabel("Buyer or address").fill(id);
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await openHolds(visitor, sale);
    const row = rowOf(page, buyers, "Gao Min");
    await row.getByText("Blocked").waitFor();
    await row.getByRole("button", { name: "Release stock", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Release what Gao Min 高敏 holds?" }).waitFor();
    expect(await dialog.getByLabel("Reason").count(), "the block has its reason").toBe(0);
    await dialog.getByRole("button", { name: "Release stock" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await shop.stock(sale)).toMatchObject({ left: 3, held: 0 });
  });

  it("of a large crowd return part by part, and the page says how far it is", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 3 });
    await squatter(shop, sale, "He Bin 何斌");
    let answered = 0;
    let goOn = () => {};
    const waited = new Promise<void>((done) => (goOn = done));
    await page.route("**/holds/give-back", async (route) => {
      const first = answered++ === 0;
      if (!first) await waited;
      const part = first ? { orders: 2000, units: 2500, more: true } : { orders: 5, units: 5 };
      await route.fulfill({ json: { blocked: true, more: false, ...part } });
    });
    await openHolds(visitor, sale);
    await rowOf(page, buyers, "He Bin").getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Block and release stock" }).click();
    await dialog.getByText("So far: 2,000 orders · 2,500 units.").waitFor();
    await visitor.look("console-holds-progress");
    goOn();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("2,005 orders · 2,505 units are for sale again.").first().waitFor();
  });
});
