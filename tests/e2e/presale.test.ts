import { describe, expect } from "vitest";

import { stage } from "./stage";

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const csv = (text: string) => ({
  name: "buyers.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

describe("the page of a sale for listed buyers", () => {
  const it = stage("stranger");

  it("tells strangers, listed buyers and others what is so", async ({ shop, visitor, buyer }) => {
    const { page } = visitor;
    const sale = await shop.sale({ audience: "listed" });
    await visitor.open(`/sale?id=${sale}`);
    await page.getByText("For listed customers only").waitFor();
    await page.getByText("Log in to see whether you are on it.").waitFor();
    await visitor.look("presale-stranger");

    await visitor.logIn(buyer);
    await visitor.open(`/sale?id=${sale}`);
    await page.getByText("You are not on the list").waitFor();
    expect(await page.getByRole("button", { name: /^Buy/ }).count()).toBe(0);
    await visitor.look("presale-not-listed");

    await shop.list(sale, buyer);
    await visitor.open(`/sale?id=${sale}`);
    await page.getByText("You are on the list").waitFor();
    await visitor.look("presale-listed");
    await page.getByRole("button", { name: /^Buy/ }).click();
    await visitor.state("ordered");
  });

  it("counts down to when everybody can buy", async ({ shop, visitor, buyer }) => {
    const { page } = visitor;
    const sale = await shop.sale({
      audience: "listed_first",
      listed_until: minutes(30),
      ends_at: minutes(60),
    });
    await visitor.logIn(buyer);
    await visitor.open(`/sale?id=${sale}`);
    await page.getByText("You are not on the list").waitFor();
    await page.getByText("Opens to everybody in").waitFor();
    expect(await page.getByRole("button", { name: /^Opens at/ }).isDisabled()).toBe(true);
    await visitor.look("presale-first");
    await shop.edit(sale, { audience: "everyone" });
    const buy = page.getByRole("button", { name: /^Buy/ });
    await buy.waitFor();
    await buy.click();
    await visitor.state("ordered");
  });
});

describe("the console", () => {
  const it = stage("operator");

  it("takes a list with a new sale, and changes it later", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item();
    await visitor.open(`/console/plan?item=${item.id}`);
    await page.getByLabel("Price", { exact: true }).fill("49");
    await page.getByLabel("Stock").fill("12");
    await page.getByLabel("Who may buy").selectOption("listed");
    await visitor.press("Check and publish");
    const dialog = page.locator("dialog[open]");
    await dialog.getByText("The list is empty: nobody could buy.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const file = page.getByLabel("File with the list");
    await file.setInputFiles(csv("phone\n13800138000\n1.38E+10\n"));
    await page.getByText("Line 3:").waitFor();
    await visitor.look("console-list-wrong");
    const phones = Array.from({ length: 6000 }, (_, i) => 13_000_000_000 + i).join("\n");
    await file.setInputFiles(csv(`phone\n${phones}\n`));
    await page.getByText("6,000 buyers in the file").waitFor();
    await visitor.press("Check and publish");
    await dialog.getByText("6,000 on the list").waitFor();
    await dialog.getByRole("button", { name: "Publish and open now" }).click();
    await page.waitForURL(/\/console\/sale\?id=/);
    const sale = new URL(page.url()).searchParams.get("id")!;
    expect(await shop.ask(`/admin/sales/${sale}/list`)).toMatchObject({ listed: 6000, ids: 0 });

    await visitor.open(`/console/plan?id=${sale}`);
    await page.getByText("6,000 on the list").waitFor();
    await visitor.look("console-list");
    await file.setInputFiles(csv("13900000000\n"));
    await visitor.press("Add to the list");
    await page.getByText("6,001 on the list").waitFor();
    await visitor.sure("Clear the list");
    await page.getByText("Nobody is on the list yet.").waitFor();

    await visitor.open(`/console/plan?clone=${sale}`);
    expect(await page.getByLabel("Who may buy").inputValue()).toBe("listed");
    await page.getByText("A copy begins with an empty list").waitFor();
  });
});
