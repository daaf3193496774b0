import { describe, expect } from "vitest";

import { desktop, smallPhone, Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("operator", "--demo");

describe("the console", () => {
  it("is for operators", async ({ browser, shop }) => {
    const buyer = await Visitor.enter(browser, shop);
    await buyer.open("/console/");
    await buyer.page.getByText("Log in as staff").waitFor();
    await buyer.look("console-logged-out");
    await buyer.logIn(await shop.register());
    await buyer.open("/console/trail");
    await buyer.page.getByText("The console is for staff").waitFor();
    await buyer.leave();
  });

  it("lists the sales", async ({ visitor }) => {
    await visitor.open("/console/");
    await visitor.page.locator("tbody tr").first().waitFor();
    expect(await visitor.page.locator("tbody tr").count()).toBeGreaterThanOrEqual(4);
    await visitor.look("console-sales");
  });

  it("makes an item and a sale, with the server's complaints at their fields", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    await visitor.open("/console/item");
    await page.getByLabel("List price").fill("cheap");
    await visitor.press("Save");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    expect(await page.getByLabel("List price").getAttribute("aria-invalid")).toBe("true");
    await visitor.look("console-item-wrong");
    await page.getByLabel("Title").fill("Paper lantern · 纸灯笼");
    await page.getByLabel("Description").fill("Folds flat.");
    await page.getByLabel("List price").fill("129.50");
    await visitor.press("Save");
    await page.waitForURL(/\/console\/items/);
    const row = page.locator("tr", { hasText: "Paper lantern" });
    await row.getByText("129.50").waitFor();
    await visitor.look("console-items");

    await row.getByRole("link", { name: /Plan a sale/ }).click();
    await page.waitForURL(/\/console\/plan\?item=/);
    await page.getByLabel("Price", { exact: true }).fill("49");
    await page.getByLabel("Stock").fill("12.5");
    await page.getByLabel("Limit for each buyer").fill("none");
    await page.getByLabel("Ends").fill("2020-01-01T00:00");
    await visitor.press("Check and publish");
    await page.getByText("Enter a whole number from 0 to 1,000,000,000.").waitFor();
    await page.getByText("Enter a whole number from 1 to 1,000.").waitFor();
    await page.getByText("The end must be after the start.").waitFor();
    expect(await page.getByLabel("Stock").getAttribute("aria-invalid")).toBe("true");
    await visitor.look("console-plan-wrong");
    await page.getByLabel("Stock").fill("12");
    await page.getByLabel("Limit for each buyer").fill("1");
    await page.getByLabel("Ends").fill("");
    await visitor.press("Check and publish");
    await page.getByRole("heading", { name: "This sale opens now. Publish it?" }).waitFor();
    expect((await shop.ask("/sales?limit=100")).sales).not.toContainEqual(
      expect.objectContaining({ price_cents: 4900 }),
    );
    await visitor.look("console-publish-now");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    // Nothing was typed in vain.
    await visitor.open("/console/plan");
    await page.getByText("This is the draft that you began earlier").waitFor();
    expect(await page.getByLabel("Price", { exact: true }).inputValue()).toBe("49");
    await visitor.look("console-draft");
    await visitor.press("Check and publish");
    await page.getByRole("dialog").getByRole("button", { name: "Publish and open now" }).click();
    await page.waitForURL(/\/console\/sale\?id=/);
    await page.getByRole("heading", { name: /Paper lantern/ }).waitFor();
    await page.getByText("of 12").waitFor();

    const id = new URL(page.url()).searchParams.get("id")!;
    await visitor.open(`/console/plan?id=${id}`);
    await page.getByText("This sale has begun").waitFor();
    await page.getByLabel("Limit for each buyer").fill("3");
    await visitor.press("Save");
    await page.waitForURL(/\/console\/sale\?id=/);
    expect((await shop.call("GET", `/sales/${id}`)).body.limit_per_buyer).toBe(3);
    await visitor.open(`/console/plan?clone=${id}`);
    await page.getByText("The other sale had 12 in all, restocks included.").waitFor();
    expect(await page.getByLabel("Stock").inputValue()).toBe("");
    expect(await page.getByLabel("Limit for each buyer").inputValue()).toBe("3");
  });

  it("schedules a sale, with a preview of what shoppers will see", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item({ title: "Snow globe · 雪花球" });
    await visitor.open(`/console/plan?item=${item.id}`);
    await page.getByLabel("Price", { exact: true }).fill("19.90");
    await page.getByLabel("Stock").fill("7");
    await page.getByLabel("Starts").fill("2031-01-01T10:00");
    await page.getByLabel("Ends").fill("2031-01-02T10:00");
    await page.getByLabel("Before buying").selectOption("pow");
    const preview = page.getByRole("complementary");
    await preview.locator(".badge.scheduled").waitFor();
    for (const said of ["Snow globe", "¥19.90", "7 units", "A short security check by your device"])
      await preview.getByText(said).first().waitFor();
    // A start years ahead: no number of its countdown breaks in two, also on a phone.
    await page.setViewportSize(smallPhone);
    const tile = preview.locator(".countdown.tiles > span").first();
    expect((await tile.boundingBox())!.height).toBeLessThan(80);
    await page.setViewportSize(desktop);
    await visitor.look("console-plan");
    await visitor.press("Check and publish");
    await page.getByRole("heading", { name: "Publish this sale?" }).waitFor();
    await page.locator(".checklist .doubt", { hasText: "Less than a tenth" }).waitFor();
    await visitor.look("console-publish");
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(/\/console\/sale\?id=/);
    const id = new URL(page.url()).searchParams.get("id")!;
    expect((await shop.call("GET", `/sales/${id}`)).body).toMatchObject({
      state: "scheduled",
      price_cents: 1990,
      challenge: "pow",
      stock: { left: 7 },
    });
    // What shoppers see is what was shown.
    await visitor.open(`/sale?id=${id}`);
    for (const said of ["Snow globe", "¥19.90", "7 units"])
      await page.getByText(said).first().waitFor();
  });

  it("keeps what was typed when the page is looked at again", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item();
    await visitor.open(`/console/item?id=${item.id}`);
    await page.getByLabel("Title").fill("Half a");
    const asked = page.waitForResponse(`**/api/v1/items/${item.id}`);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await (await asked).finished();
    await page.getByLabel("Title").pressSequentially(" title");
    expect(await page.getByLabel("Title").inputValue()).toBe("Half a title");
  });

  it("plans for the item that was asked for, or for none", async ({ shop, visitor }) => {
    const { page } = visitor;
    const item = await shop.item({ title: "Far down the list" });
    await page.route("**/api/v1/items?limit=100", async (route) => {
      const { items } = await (await route.fetch()).json();
      const others = items.filter(({ id }: { id: string }) => id !== item.id);
      await route.fulfill({ json: { items: others, next_cursor: null } });
    });
    await visitor.open(`/console/plan?item=${item.id}`);
    await page.getByRole("complementary").getByText("Far down the list").waitFor();
    expect(await page.getByLabel("Item").inputValue()).toBe(item.id);
    await visitor.open("/console/plan?item=1");
    await page.getByText("There is no such item").waitFor();
  });

  it("changes roles, and blocks and unblocks a buyer", async ({ shop, visitor }) => {
    const { page } = visitor;
    const phone = await shop.register("Wang Fang 王芳");
    await visitor.open("/console/users");
    await page.getByLabel("Find by phone").fill(phone);
    await page.getByLabel("Find by phone").press("Enter");
    const row = page.getByRole("region", { name: "Users" }).locator("tr", { hasText: phone });
    await row.waitFor();
    const users = page.getByRole("region", { name: "Users" }).locator("tbody tr");
    await users.nth(1).waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Block" }).click();
    await page.getByRole("heading", { name: "Block Wang Fang 王芳?" }).waitFor();
    await page.getByRole("dialog").getByLabel("Reason").fill("buys with a script");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    const block = page.locator("tr", { hasText: "buys with a script" });
    await block.getByText("Wang Fang 王芳").first().waitFor();
    await row.first().getByRole("button", { name: "Lift" }).waitFor();
    expect(await row.first().getByRole("button", { name: "Block" }).count()).toBe(0);
    await visitor.look("console-users");
    const sale = await shop.sale();
    expect((await shop.buy(sale, await shop.logIn(phone))).status).toBe(403);
    await block.getByRole("button", { name: "Lift" }).click();
    await page.getByRole("heading", { name: "Lift the block of Wang Fang 王芳?" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Lift" }).click();
    await block.waitFor({ state: "detached" });
    expect((await shop.buy(sale, await shop.logIn(phone))).status).toBe(201);

    await visitor.press("Block a buyer or an address");
    await page.getByRole("dialog").getByLabel("Buyer or address").fill("127.0.0.1");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("dialog").locator(".notice.bad").waitFor();
    await visitor.look("console-block-refused");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    await row.getByRole("button", { name: "Change role" }).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("operator");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await row.locator(".badge.role-operator").waitFor();
  });

  it("changes the limits, and gives one back", async ({ visitor }) => {
    const { page } = visitor;
    await visitor.open("/console/limits");
    const field = page.getByRole("textbox", { name: "Buying · per minute" });
    await field.fill("fast");
    await visitor.press("Save 1 change");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".notice.bad").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await field.fill("77");
    await visitor.press("Save 1 change");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator(".source-operator").waitFor();
    expect(await field.inputValue()).toBe("77");
    await visitor.look("console-limits");
    await visitor.press("Back to the configuration");
    await dialog.getByRole("button", { name: "Back to the configuration" }).click();
    await page.locator(".source-operator").waitFor({ state: "detached" });
  });

  it("knows sales by their start and people by their names", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const item_id = (await shop.item({ title: "Twin sale" })).id;
    const first = await shop.sale({ item_id });
    await shop.sale({ item_id, starts_at: "2031-05-05T05:05:05Z" });
    await shop.buy(first, await shop.logIn(buyer));
    const [order] = await shop.ordersOf(buyer);
    await visitor.open("/console/orders");
    await page.locator("option", { hasText: /^Twin sale · .*2031/ }).waitFor({ state: "attached" });
    await visitor.open("/console/");
    await page.getByLabel("Find by title").fill("twin sale");
    await page.locator("tr", { hasText: "2031" }).waitFor();
    expect(await page.getByText(first).count()).toBe(0);
    await visitor.open(`/console/order?id=${order!.id}`);
    await page.getByRole("link", { name: /^Twin sale · / }).waitFor();
    await page.getByRole("link", { name: /Li Na 李娜/ }).waitFor();
    await visitor.look("console-order-names");
  });

  it("says so when an order or a sale is not there", async ({ visitor }) => {
    await visitor.open("/console/order?id=1");
    await visitor.page.getByText("Order not found").waitFor();
    await visitor.look("console-order-missing");
    await visitor.open("/console/sale?id=1");
    await visitor.page.getByText("There is no such sale").waitFor();
  });
});
