import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { stage } from "./stage";
import type { Json } from "./shop";

const it = stage("operator");

// An hour in which all of the stock went within ten seconds, half an hour ago.
function hourOf(stock: number): Json {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const funnel = { visits: 1, challenges: 0, passes: 0, attempts: 0, claims: 0 };
  const latency = { p50_ms: 0, p90_ms: 0, p99_ms: 0, p999_ms: 0 };
  const points = Array.from({ length: 3500 }, (_, second) => {
    const gone = Math.min(10, Math.max(0, second - 1750));
    const left = stock - (stock / 10) * gone;
    return {
      at: new Date(now - (3510 - second) * 1000).toISOString(),
      funnel: { ...funnel, refusals: {}, orders: 0, paid: 0, expired: 0 },
      stock: { total: stock, left, held: stock - left, sold: 0 },
      backlog: 0,
      latency,
    };
  });
  const total = { ...funnel, visits: 3500, refusals: {}, orders: stock, paid: 0, expired: 0 };
  return { points, total, next_from: null };
}

// How many seconds the chart shows, by what is told beside its buttons.
async function shownSeconds(page: Page): Promise<number> {
  const said = await page.locator(".zoom output").innerText();
  const [from, to] = said.split(" – ").map((time) => {
    const [hours, minutes, seconds] = time.split(":").map(Number);
    return hours! * 3600 + minutes! * 60 + seconds!;
  });
  return (to! - from! + 86_400) % 86_400;
}

describe("the chart of a sale", () => {
  it("shows ten seconds of an hour as a curve, and zooms by buttons, keys and dragging", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 10 });
    for (const token of shop.mint(10)) await shop.buy(sale, token);
    await expect.poll(() => shop.stock(sale)).toMatchObject({ left: 0 });
    await page.route("**/stats/history?*", (route) => route.fulfill({ json: hourOf(10) }));
    await visitor.open(`/console/sale?id=${sale}`);
    await page.locator(".zoom output", { hasText: "–" }).waitFor();
    expect(await shownSeconds(page)).toBeGreaterThanOrEqual(9);
    expect(await shownSeconds(page)).toBeLessThanOrEqual(20);
    await visitor.look("console-chart-decisive");

    await visitor.press("Show all");
    await page.getByText("Drag over the chart to zoom in.").waitFor();
    // By keys alone.
    await page.getByRole("button", { name: "Decisive seconds" }).press("Enter");
    await expect.poll(() => shownSeconds(page)).toBeLessThanOrEqual(20);
    const near = await shownSeconds(page);
    await page.getByRole("button", { name: "Zoom out" }).press("Enter");
    await expect.poll(() => shownSeconds(page)).toBeGreaterThan(near);
    const before = await page.locator(".zoom output").innerText();
    await page.getByRole("button", { name: "Earlier" }).press(" ");
    await expect.poll(() => page.locator(".zoom output").innerText()).not.toBe(before);
    await page.getByRole("button", { name: "Zoom in" }).press("Enter");
    await expect.poll(() => shownSeconds(page)).toBeLessThanOrEqual(near + 1);

    await visitor.press("Show all");
    const over = (await page.locator(".chart .u-over").boundingBox())!;
    await page.mouse.move(over.x + over.width * 0.4, over.y + over.height / 2);
    await page.mouse.down();
    await page.mouse.move(over.x + over.width * 0.6, over.y + over.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => shownSeconds(page)).toBeGreaterThan(600);
    expect(await shownSeconds(page)).toBeLessThan(800);
  });

  it("marks what operators did", async ({ shop, visitor }) => {
    const { page } = visitor;
    const other = await shop.sale();
    const sale = await shop.sale({ stock: 20 });
    // The chart goes back to the first that happened.
    await shop.call("POST", `/sales/${sale}/visits`);
    await visitor.open(`/console/sale?id=${sale}`);
    await page.locator(".zoom").waitFor();
    await shop.operate(other, "pause");
    await shop.operate(sale, "pause");
    const marks = page.locator(".marks li");
    await marks.getByText("Paused").waitFor();
    await shop.operate(sale, "resume");
    await shop.operate(sale, "restock", { delta: 5 });
    await shop.operate(sale, "restock", { delta: -2 });
    await shop.edit(sale, { limit_per_buyer: 3 });
    for (const said of ["Resumed", "Restocked by 5", "2 taken away", "Limit for each buyer 1 → 3"])
      await marks.getByText(said).waitFor();
    expect(await marks.count()).toBe(5);
    await shop.limit({ buying: { burst: 77 } });
    await page.reload();
    await marks.getByText(/Buying · at once .*→ 77/).waitFor();
    expect(await marks.count()).toBe(6);
    await visitor.look("console-chart-marks");
    await marks.getByText("Restocked by 5").press("Enter");
    await page.locator(".zoom output", { hasText: "–" }).waitFor();
  });
});
