import { readFileSync } from "node:fs";

import { describe, expect } from "vitest";

import { patience, Visitor } from "./browser";
import type { Shop } from "./shop";
import { stage } from "./stage";

const it = stage("operator");

// Many buyers have tea; this one has tea, and a lamp whose order was cancelled. Returns the sale of
// lamps.
async function sellTeaAndLamps(shop: Shop, buyer: string) {
  const [tea, lamp] = await Promise.all([
    shop.sale({ stock: 60 }),
    shop.sale({ item_id: (await shop.item({ title: "Lamp, “bright” · 灯" })).id }),
  ]);
  for (const token of shop.mint(52)) await shop.buy(tea, token);
  const token = await shop.logIn(buyer);
  await shop.buy(lamp, token);
  await shop.cancel((await shop.ordersOf(buyer))[0]!.id, token);
  await shop.buy(tea, token);
  return lamp;
}

// Both tables have the two orders that the list shows.
async function takeTables(visitor: Visitor, shop: Shop, buyer: string) {
  const { page } = visitor;
  const taken = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV for programs" }).click();
  const file = await taken;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  const table = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(table).toHaveLength(3);
  expect(table.join("\n")).toContain('"Lamp, “bright” · 灯"');

  const sheet = page.waitForEvent("download");
  await visitor.press("Export for Excel or WPS");
  const sheetBytes = readFileSync(await (await sheet).path());
  expect(sheetBytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const lines = sheetBytes.toString("utf8").trim().split("\r\n");
  expect(lines).toHaveLength(3);
  const [order] = await shop.ordersOf(buyer);
  expect(lines[0]).toMatch(/^Number,/);
  expect(lines.join("\n")).toContain(`"=""${order!.id}"""`);
  expect(lines.join("\n")).toContain(`"=""${buyer}"""`);
  expect(lines.join("\n")).toContain(",99.00,99.00,CNY,");
}

describe("everybody's orders", () => {
  it("are none at first", async ({ visitor }) => {
    await visitor.open("/console/orders");
    await visitor.page.getByText("No orders match").waitFor();
    await visitor.look("console-orders-none");
  });

  it("are found by sale, state and buyer, and the table that is taken away has the same", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const lamp = await sellTeaAndLamps(shop, buyer);

    await visitor.open("/console/orders");
    const rows = page.locator("tbody tr");
    await rows.nth(49).waitFor();
    expect(await rows.count()).toBe(50);
    await visitor.press("Show more");
    await rows.nth(53).waitFor();
    await page.getByLabel("Sale", { exact: true }).selectOption(lamp);
    await rows.nth(1).waitFor({ state: "detached" });
    await rows.locator(".badge.cancelled").waitFor();
    await page.getByLabel("Sale", { exact: true }).selectOption("");

    const whose = page.getByLabel("Buyer’s name or phone");
    const find = async (typed: string) => {
      await whose.fill(typed);
      await whose.press("Enter");
    };
    await find("+861000");
    await page.getByText("No orders match").waitFor();
    await find("B");
    await page.locator(".wrong", { hasText: "more than 50" }).waitFor(); // Buyer 1, Buyer 2 and so on
    await visitor.look("console-orders-too-many");
    await find("Li Na");
    await expect.poll(() => rows.count(), { timeout: patience }).toBe(2);
    await find(buyer);
    await expect.poll(() => rows.count(), { timeout: patience }).toBe(2);
    await rows.first().getByRole("button", { name: "Li Na 李娜" }).click();
    await expect.poll(() => page.url()).toMatch(/[?&]buyer=\d+/);
    await expect
      .poll(() => whose.inputValue(), { message: "by name, not by number" })
      .toBe("Li Na 李娜");
    await expect.poll(() => rows.count(), { timeout: patience }).toBe(2);
    await visitor.look("console-orders");

    await takeTables(visitor, shop, buyer);

    await page.getByLabel("State", { exact: true }).selectOption("pending");
    await rows.nth(1).waitFor({ state: "detached" });
    await page.getByLabel("Ordered before").fill("2020-01-01T00:00");
    await page.getByText("No orders match").waitFor();
    await page.getByLabel("Ordered before").fill("");
    // Back from an order, the list is as it was.
    await rows.getByRole("link").click();
    await page.waitForURL(/console\/order\?id=/);
    await page.goBack();
    await page.locator(".badge.pending").waitFor();
    await expect.poll(() => rows.count()).toBe(1);

    await visitor.open("/console/trail");
    await page.getByText("Exported orders").first().waitFor();
  });

  it("that are paid are refunded all at once, after a preview", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 5 });
    const phones = [await shop.register("Qian Yi 钱一"), await shop.register("Sun Er 孙二")];
    for (const phone of phones) {
      await shop.buy(sale, await shop.logIn(phone));
      await shop.pay(phone);
      await expect
        .poll(async () => (await shop.ordersOf(phone))[0]!.state, { timeout: patience })
        .toBe("paid");
    }
    await visitor.open(`/console/orders?sale=${sale}`);
    await page.locator("tbody tr").nth(1).waitFor();
    const button = page.getByRole("button", { name: "Refund all of these" });
    expect(await button.count(), "only for paid orders of one sale").toBe(0);
    await page.getByLabel("State", { exact: true }).selectOption("paid");
    await button.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 orders · 2 units · ¥198.00").waitFor();
    await dialog.getByText("Sun Er 孙二").waitFor();
    await visitor.look("console-orders-refund-all");
    await dialog.getByRole("button", { name: "Refund 2 orders" }).click();
    await dialog.getByText("2 of 2 refunded: ¥198.00.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByText("No orders match").waitFor();
    expect(await shop.stock(sale)).toMatchObject({ left: 5, sold: 0 });
    expect(await shop.audit(sale)).toMatchObject({ holds: true });
  });

  it("are refunded by support, who may steer nothing", async ({ browser, shop }) => {
    const sale = await shop.sale({ stock: 5 });
    const phone = await shop.register("Zhou San 周三");
    await shop.buy(sale, await shop.logIn(phone));
    await shop.pay(phone);
    await expect
      .poll(async () => (await shop.ordersOf(phone))[0]!.state, { timeout: patience })
      .toBe("paid");
    const visitor = await Visitor.enter(browser, shop);
    const { page } = visitor;
    await visitor.logIn(shop.staff("support"));

    await visitor.open("/console/");
    await page.locator("tbody tr").first().waitFor();
    const places = page.getByRole("navigation", { name: "Console" }).getByRole("link");
    expect(await places.allInnerTexts()).toEqual(["Sales", "Orders"]);
    for (const name of ["New sale", "Edit", "Copy"])
      expect(await page.getByRole("link", { name }).count(), name).toBe(0);
    await visitor.look("console-support-sales");

    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("Limit for each buyer").waitFor();
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    await visitor.look("console-support-sale");

    await page.getByRole("link", { name: "Orders of this sale" }).click();
    await page.locator("tbody tr").first().waitFor();
    expect(await page.getByRole("link", { name: "CSV for programs" }).count()).toBe(0);
    const whose = page.getByLabel("Buyer’s name or phone");
    await whose.fill("Zhou");
    await whose.press("Enter");
    await expect.poll(() => page.url()).toContain("name=Zhou");
    await page.locator("tbody tr").first().waitFor();
    await page.locator("tbody tr").getByRole("link").click();
    await page.getByRole("link", { name: "Zhou San 周三" }).waitFor();
    await visitor.press("Refund");
    await page.getByRole("dialog").getByText("go back to Zhou San 周三").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Refund it" }).click();
    await page.locator(".badge.refunded").waitFor();
    await visitor.look("console-support-order");
    expect(await shop.audit(sale)).toMatchObject({ holds: true });

    await visitor.open("/console/limits");
    await page.getByText("This page is for operators").waitFor();
    expect(visitor.troubles).toEqual([]);
    await visitor.leave();
  });
});
