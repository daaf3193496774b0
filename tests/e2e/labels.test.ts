import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("operator");

describe("the labels of a sale", () => {
  it("are given in its form, seen by everybody, and found again", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item();
    await shop.sale({ item_id: item.id, name: "Morning" });
    await visitor.open(`/console/plan?item=${item.id}`);
    await page.getByLabel("Name", { exact: true }).fill("双十一 Evening");
    await page.getByLabel("Campaign").fill("11.11");
    await page.getByLabel("Tags").fill("tea，gift");
    await page.getByLabel("Price", { exact: true }).fill("49");
    await page.getByLabel("Stock").fill("12");
    await visitor.press("Check and publish");
    const dialog = page.locator("dialog[open]");
    await dialog.getByText("双十一 Evening").waitFor();
    await dialog.getByRole("button", { name: "Publish and open now" }).click();
    await page.waitForURL(/\/console\/sale\?id=/);
    await page.getByRole("heading", { name: "双十一 Evening" }).waitFor();

    await visitor.open("/console/");
    const rows = page.locator("tbody tr");
    await rows.filter({ hasText: "Morning" }).waitFor();
    expect(await rows.count()).toBe(2);
    await rows.getByRole("link", { name: "gift", exact: true }).click();
    await page.waitForURL(/\?tag=gift$/);
    await rows.filter({ hasText: "Evening" }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await page.getByLabel("Tag").inputValue()).toBe("gift");
    await visitor.look("console-labels");

    await visitor.open("/");
    await page.getByRole("heading", { name: /双十一 Evening/ }).waitFor();
  });
});

describe("an item", () => {
  it("is put away and brought back", async ({ shop, visitor }) => {
    const { page } = visitor;
    const { id } = await shop.item({ title: "Paper lantern" });
    await visitor.open(`/console/item?id=${id}`);
    await visitor.sure("Archive");
    await page.getByText("No new sale can be made of it.").waitFor();
    await visitor.open("/console/items");
    await page.getByLabel("Which").waitFor();
    expect(await page.getByText("Paper lantern").count()).toBe(0);
    await page.getByLabel("Which").selectOption("only");
    await page.getByRole("link", { name: "Paper lantern" }).click();
    await page.waitForURL(/\/console\/item\?id=/);
    await visitor.sure("Bring back");
    await page.getByRole("button", { name: "Archive", exact: true }).waitFor();
    expect((await shop.ask(`/items/${id}`)).archived).toBe(false);
  });

  it("has a category and further pictures, which shoppers see", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item({
      title: "City bicycle",
      category: "Bikes",
      pictures: ["/assets/demo/bicycle.svg", "/assets/demo/phone.svg"],
    });
    const sale = await shop.sale({ item_id: item.id });
    await shop.sale({ item_id: (await shop.item({ title: "Green tea", category: "Tea" })).id });
    await visitor.open("/");
    await page.getByRole("heading", { name: "Green tea" }).waitFor();
    await page.getByLabel("Category").selectOption("Bikes");
    await page.getByRole("heading", { name: "City bicycle" }).waitFor();
    expect(await page.getByRole("heading", { name: "Green tea" }).count()).toBe(0);

    await visitor.open(`/sale?id=${sale}`);
    await page.getByRole("button", { name: "Picture 2 of 3" }).click();
    const large = page.locator(".sale-picture .picture img");
    expect(await large.getAttribute("src")).toBe("/assets/demo/bicycle.svg");
    await visitor.look("sale-pictures");
  });
});
