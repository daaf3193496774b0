import { readFileSync } from "node:fs";

import { describe, expect } from "vitest";

import { stage } from "./stage";
import type { Shop } from "./shop";

const it = stage("operator");

// All of its units are ordered at once; `paid` buyers pay, and the first of them gets the money back.
async function soldSale(shop: Shop, title: string, stock: number, paid: number): Promise<string> {
  const item_id = (await shop.item({ title })).id as string;
  const sale = await shop.sale({ item_id, stock, price_cents: 5000 });
  for (let i = 0; i < paid; i++) {
    const phone = await shop.register();
    await shop.buy(sale, await shop.logIn(phone));
    await shop.pay(phone);
    if (i > 0) continue;
    const [order] = await shop.ordersOf(phone);
    await expect.poll(async () => (await shop.ordersOf(phone))[0]!.state).toBe("paid");
    await shop.refund(order!.id);
  }
  // The unit that came back is bought again, and one buyer comes too late.
  for (const token of shop.mint(stock - paid + 2)) await shop.buy(sale, token);
  await expect
    .poll(async () => (await shop.ask(`/admin/sales/${sale}/stats`)).funnel.refusals.sold_out)
    .toBe(1);
  await expect.poll(() => shop.stock(sale)).toMatchObject({ left: 0, sold: paid - 1 });
  // The page asks once, and a second is stored when it is over.
  const history = `/admin/sales/${sale}/stats/history?resolution=second`;
  await expect.poll(async () => JSON.stringify(await shop.ask(history))).toMatch(/"left":0\b/);
  return sale;
}

describe("the report of a sale", () => {
  it("tells what it came to, beside an earlier sale, on paper and as a table", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const earlier = await soldSale(shop, "Winter tea · 冬茶", 5, 2);
    const sale = await soldSale(shop, "Spring tea · 春茶", 6, 3);
    await shop.operate(sale, "end");
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByRole("link", { name: "Report" }).first().click();
    await page.getByRole("heading", { name: "Report: Spring tea · 春茶" }).waitFor();
    // Four of its units wait for payment.
    await page.getByText("The figures may still change").waitFor();
    const figures = (name: string) =>
      page
        .locator(".report-table tr", { has: page.getByRole("rowheader", { name, exact: true }) })
        .locator("td")
        .allInnerTexts();
    expect(await figures("Units for sale, restocks included")).toEqual(["6"]);
    expect(await figures("Units sold")).toEqual(["2"]);
    expect(await figures("Taken in")).toEqual(["¥150.00"]);
    expect(await figures("Refunded")).toEqual(["¥50.00"]);
    expect(await figures("Revenue")).toEqual(["¥100.00"]);
    expect(await figures("Orders")).toEqual(["7"]);
    expect(await figures("Orders that were paid")).toEqual(["43%"]);
    expect(await figures("Orders that expired")).toEqual(["0%"]);
    expect(await figures("Sold out")).toEqual(["1"]);
    expect((await figures("Time to sell out"))[0]).toMatch(/^[\d.]+ s$/);
    expect(Number((await figures("Most purchases a second"))[0])).toBeGreaterThan(0);
    await visitor.look("console-report");

    await page.getByLabel("Compare with an earlier sale").selectOption(earlier);
    await expect.poll(() => figures("Revenue")).toEqual(["¥100.00", "¥50.00"]);
    expect(await figures("Units sold")).toEqual(["2", "1"]);
    expect(page.url()).toContain(`with=${earlier}`);
    await visitor.look("console-report-compared");

    const saved = page.waitForEvent("download");
    await visitor.press("Export for Excel or WPS");
    const table = readFileSync((await (await saved).path())!, "utf8");
    expect(table.startsWith("\uFEFF")).toBe(true);
    expect(table).toContain("Item,Spring tea · 春茶,Winter tea · 冬茶\r\n");
    expect(table).toContain(`Number of the sale,"=""${sale}""","=""${earlier}"""\r\n`);
    expect(table).toContain("Revenue,100.00,50.00\r\n");

    await page.evaluate(() => ((window as any).print = () => ((window as any).printed = true)));
    await visitor.press("Print");
    expect(await page.evaluate(() => (window as any).printed)).toBe(true);
    await page.emulateMedia({ media: "print" });
    for (const part of [".masthead", ".places", ".filters", ".report .button"])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    expect(await page.locator(".report-table").isVisible()).toBe(true);
    await page.screenshot({
      path: "../build/screenshots/console-report-print.png",
      fullPage: true,
    });
    await page.emulateMedia({ media: "screen" });
  });

  it("says when there is no such sale", async ({ visitor }) => {
    await visitor.open("/console/report?id=1");
    await visitor.page.getByRole("heading", { name: "There is no such sale" }).waitFor();
  });
});
