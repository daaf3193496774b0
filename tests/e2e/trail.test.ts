import { readFileSync } from "node:fs";

import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("operator");

describe("the audit trail", () => {
  it("is searched, and taken away as a table", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await shop.operate(sale, "pause");
    await shop.operate(sale, "resume");
    await shop.operate(await shop.sale(), "pause");

    // From the sale to its own deeds.
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("link", { name: "Audit trail of this sale" }).click();
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    expect(await page.getByText("Paused the sale").count()).toBe(1);
    await visitor.look("console-trail-filtered");

    const saved = page.waitForEvent("download");
    await visitor.press("Export for Excel or WPS");
    const table = readFileSync((await (await saved).path())!, "utf8");
    expect(table.startsWith("\uFEFF")).toBe(true);
    expect(table.trim().split("\r\n")).toHaveLength(4);
    expect(table).toContain(`=""${sale}""`);

    await page.getByLabel("Number or address").fill("");
    await page.getByLabel("Number or address").press("Enter");
    await page.getByLabel("About").selectOption("item");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Who").selectOption("command_line");
    await page.getByText("No deed matches").waitFor();
    await page.getByLabel("About").selectOption("");
    await page.getByText("Added the user").waitFor();
  });
});
