import { describe, expect, onTestFinished } from "vitest";

import { Visitor } from "./browser";
import { password, Shop } from "./shop";
import { stage } from "./stage";

const it = stage("stranger", "--demo");

describe("the storefront", () => {
  it("shows the sales", async ({ visitor }) => {
    await visitor.open("/");
    await visitor.page.getByRole("heading", { name: "Flash sales" }).waitFor();
    await visitor.page.locator(".card").first().waitFor();
    expect(await visitor.page.locator(".card, .feature").count()).toBe(4);
    await visitor.look("home");
  });

  it("shows each sale as it is, and what is held apart from what is sold", async ({ browser }) => {
    const shop = await Shop.open();
    onTestFinished(() => shop.close());
    const phone = await shop.register();
    const picture = (name: string, title: string) =>
      shop.item({ title, image_url: `/assets/demo/${name}.svg` });
    const [tea, phones, bicycle, headphones] = await Promise.all([
      shop.sale({ stock: 8, limit_per_buyer: 5 }),
      shop.sale({ stock: 2, item_id: (await picture("phone", "Aurora phone · 极光手机")).id }),
      shop.sale({ item_id: (await picture("bicycle", "City bicycle · 城市单车")).id }),
      shop.sale({ item_id: (await picture("headphones", "Quiet headphones · 静音耳机")).id }),
    ]);
    await shop.buy(tea, await shop.logIn(phone));
    await shop.pay(phone);
    for (const token of shop.mint(2)) {
      await shop.buy(tea, token);
      await shop.buy(phones, token);
    }
    await shop.operate(bicycle, "pause");
    await shop.operate(headphones, "end");
    await expect.poll(() => shop.stock(tea)).toMatchObject({ left: 5, held: 2, sold: 1 });

    const visitor = await Visitor.enter(browser, shop);
    const { page } = visitor;
    await visitor.open("/");
    const featured = page.locator(".feature");
    for (const said of ["5 left", "2 held", "1 sold"]) await featured.getByText(said).waitFor();
    const card = (title: string) => page.locator(".card", { hasText: title });
    await card("Aurora").getByText("2 held").waitFor();
    await card("Aurora").locator(".badge.sold_out").waitFor();
    await card("City bicycle").locator(".badge.paused").waitFor();
    await page.locator(".shelf", { hasText: "Past sales" }).getByText("Quiet headphones").waitFor();
    await visitor.look("home-states");
    await visitor.leave();
  });

  it("is light: the first visit of a sale loads at most 60 KiB of script and style", async ({
    shop,
    visitor,
  }) => {
    await visitor.open(`/sale?id=${await shop.sale()}`);
    await visitor.state("idle");
    const loaded = await visitor.page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map(({ encodedBodySize }) => encodedBodySize),
    );
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60 * 1024);
  });

  it("follows the browser's language at first, and remembers another", async ({
    browser,
    shop,
  }) => {
    const chinese = await Visitor.enter(browser, shop, { language: "zh" });
    await chinese.open("/");
    expect(await chinese.page.getAttribute("html", "lang")).toBe("zh-CN");
    await chinese.press("English");
    await chinese.page.reload();
    await chinese.page.getByRole("heading", { name: "Flash sales" }).waitFor();
    await chinese.leave();
  });

  it("says when there is nothing", async ({ browser }) => {
    const empty = await Shop.open();
    const other = await Visitor.enter(browser, empty);
    await other.open("/");
    await other.page.getByText("No sale has been planned yet").waitFor();
    await other.look("home-empty");
    await other.leave();
    await empty.close();
  });

  it("has no page for what does not exist", async ({ shop, visitor }) => {
    expect((await visitor.page.request.get(`${shop.url}/nothing`)).status()).toBe(404);
    await visitor.open("/sale?id=1");
    await visitor.page.getByText("There is no such sale").waitFor();
    await visitor.look("sale-missing");
  });

  it("registers, shows complaints at their fields, logs out and in", async ({ shop, visitor }) => {
    const { page } = visitor;
    await visitor.open("/register");
    await page.getByLabel("Phone").fill("abc");
    await page.getByLabel("Password").fill("short");
    await visitor.press("Register");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    expect(await page.getByLabel("Phone").getAttribute("aria-invalid")).toBe("true");
    await visitor.look("register-wrong");

    await page.getByLabel("Name").fill("Zoë");
    await page.getByLabel("Phone").fill("+8613711112222");
    await page.getByLabel("Password").fill(password);
    await visitor.press("Register");
    await page.waitForURL(`${shop.url}/`);
    await page.getByText("Zoë", { exact: true }).waitFor();
    await visitor.press("Log out");
    await page.getByRole("link", { name: "Log in" }).click();
    await page.waitForURL(/\/login/);
    await visitor.look("login");

    await page.getByLabel("Phone").fill("+8613711112222");
    await page.getByLabel("Password").fill("not the password");
    await visitor.press("Log in");
    await page.locator(".notice.bad").waitFor();
    await visitor.look("login-wrong");
    await page.getByLabel("Password").fill(password);
    await visitor.press("Log in");
    await page.getByText("Zoë", { exact: true }).waitFor();
  });

  it("lists nothing for who has bought nothing, and asks others to log in", async ({
    shop,
    visitor,
  }) => {
    await visitor.open("/orders");
    await visitor.page.getByText("Log in to see your orders").waitFor();
    await visitor.look("orders-logged-out");
    await visitor.logIn(await shop.register());
    await visitor.open("/orders");
    await visitor.page.getByText("No orders yet").waitFor();
    await visitor.look("orders-empty");
    await visitor.open("/order?id=1");
    await visitor.page.getByText("There is no such order").waitFor();
    await visitor.look("order-missing");
  });
});
