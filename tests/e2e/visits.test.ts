import { describe, expect } from "vitest";

import { Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("operator");

describe("visitors", () => {
  it("are counted once, however often their pages and the console ask", async ({
    browser,
    shop,
    visitor,
  }) => {
    const sale = await shop.sale();
    const visits = async () => (await shop.ask(`/admin/sales/${sale}/stats`)).funnel.visits;

    // Whoever sells is no visitor, neither in the console nor in the shop.
    await visitor.open(`/console/sale?id=${sale}`);
    await visitor.page.getByText("Visitors", { exact: true }).waitFor();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.state("idle");

    for (let visitors = 1; visitors <= 2; visitors++) {
      const other = await Visitor.enter(browser, shop);
      const told = other.page.waitForResponse(/\/visits$/);
      await other.open(`/sale?id=${sale}`);
      expect((await told).status()).toBe(204);
      await other.page.reload();
      await other.state("idle");
      await (await other.tab()).goto(`/sale?id=${sale}`);
      await expect.poll(visits).toBe(visitors);
      await other.leave();
    }
  });
});
