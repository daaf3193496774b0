import { describe, expect, onTestFinished } from "vitest";

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
    await page.getByText("All promises hold").waitFor();

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
    await visitor.look("console-wall");

    await visitor.open(`/console/sale?id=${sale}`);
    await visitor.sure("End", "End it");
    await page.locator(".badge.ended").waitFor();
    await visitor.open("/console/trail");
    for (const deed of ["Ended the sale", "Restocked", "Resumed the sale", "Paused the sale"])
      await page.getByText(deed).first().waitFor();
    await visitor.look("console-trail");
  });

  it("shows the sale's own figures and its past, where the server keeps them", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
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
    await visitor.open(`/console/sale?id=${sale}`);
    await page.locator(".bars li", { hasText: "Visits" }).getByText("4,321").waitFor();
    await page.locator(".bars li", { hasText: "Gate full" }).getByText("3").waitFor();
    await page.getByText("8.8 ms").waitFor();
    await page.getByText("The last hour").waitFor();
    await page.getByLabel("Look back").fill("0");
    await page.locator(".tile.left", { hasText: "60" }).waitFor();
    await page.getByLabel("Look back").fill("1");
    await page.locator(".tile.left", { hasText: "50" }).waitFor();
    await visitor.look("console-live-past");
    await visitor.press("Live");
    await page.locator(".tile.left", { hasText: "60" }).waitFor();
  });
});
