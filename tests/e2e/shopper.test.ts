// What a shopper expects around a purchase.

import { readFileSync } from "node:fs";

import { describe, expect } from "vitest";

import { Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("shopper");

describe("a buyer who has some of what a sale allows", () => {
  it("is offered the rest, and no more", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ limit_per_buyer: 3 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    const choice = page.getByLabel("How many").locator("option");
    await expect.poll(() => choice.count()).toBe(2);
    await visitor.look("sale-some");
    await page.getByLabel("How many").selectOption("2");
    await visitor.press("Buy another");
    await expect.poll(async () => (await shop.ordersOf(buyer)).length).toBe(2);
    await expect.poll(() => page.getByRole("button", { name: "Buy another" }).count()).toBe(0);
    await page.reload();
    await visitor.state("ordered");
    await expect.poll(() => page.getByRole("button", { name: "Buy another" }).count()).toBe(0);
  });

  it("who asks for more than that is told how many, and can buy them", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ limit_per_buyer: 3 });
    await visitor.open(`/sale?id=${sale}`);
    await page.getByLabel("How many").selectOption("3");
    await shop.buy(sale, await shop.logIn(buyer)); // on another device
    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    await page.getByText("You have 1 and may buy 2 more.").waitFor();
    await page.getByLabel("How many").selectOption("2");
    await visitor.press("Buy another");
    await expect
      .poll(async () => (await shop.ordersOf(buyer)).map(({ quantity }) => quantity))
      .toEqual([2, 1]);
  });
});

describe("an order that waits for its payment", () => {
  it("is paid once the network is back, without a second press", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const order = await shop.orderFor(buyer);
    await visitor.open(`/order?id=${order}`);
    await page.getByText("Pay within").waitFor();
    visitor.serverIsDown(true);
    await visitor.context.setOffline(true);
    await page.getByText("You are offline. What you see may be old").waitFor();
    await visitor.press(/^Pay /);
    await page.locator(".notice", { hasText: "You are offline" }).waitFor();
    await visitor.look("order-offline");
    await visitor.context.setOffline(false);
    await page.waitForURL(/\/sandbox\/pay\//);
    visitor.serverIsDown(false);
  });

  it("is told of on every page, and paid from the list", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    const banner = page.getByRole("complementary", { name: "Unpaid order" });
    expect(await banner.count()).toBe(0);
    await visitor.open("/");
    await banner.waitFor();
    await visitor.look("home-unpaid");
    await banner.getByRole("link", { name: "Pay now" }).click();
    await page.waitForURL(/\/order\?id=/);

    await visitor.open("/orders");
    await page.getByRole("button", { name: /^Pay / }).waitFor();
    await visitor.look("orders-unpaid");
    await visitor.press(/^Pay /);
    await page.waitForURL(/\/sandbox\/pay\//);
    await shop.pay(buyer);
    // The page asks once, when it is opened; on a cluster another node may carry the event.
    await expect.poll(async () => (await shop.ordersOf(buyer))[0]!.state).toBe("paid");
    await visitor.open("/");
    await expect.poll(() => banner.count()).toBe(0);
  });
});

describe("the pages", () => {
  it("are dark for who wants it, also after a reload", async ({ visitor }) => {
    const { page } = visitor;
    const theme = () => page.getAttribute("html", "data-theme");
    await visitor.open("/");
    expect(await theme()).toBe("light");
    await visitor.press("Dark mode");
    expect(await theme()).toBe("dark");
    await page.reload();
    await page.getByRole("button", { name: "Dark mode", pressed: true }).click();
    expect(await theme()).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(theme).toBe("dark");
  });

  it("show the password to who asks for it", async ({ browser, shop }) => {
    const stranger = await Visitor.enter(browser, shop);
    await stranger.open("/login");
    const field = stranger.page.getByLabel("Password");
    await field.fill("correct horse");
    expect(await field.getAttribute("type")).toBe("password");
    await stranger.press("Show password");
    expect(await field.getAttribute("type")).toBe("text");
    expect(await field.inputValue()).toBe("correct horse");
    await stranger.look("login-password");
    await stranger.leave();
  });

  it("copy the address of a sale to share", async ({ shop, visitor }) => {
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const sale = await shop.sale();
    await visitor.page.addInitScript(() => delete (Navigator.prototype as any).share);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press("Share");
    await visitor.page.getByRole("button", { name: "Link copied" }).waitFor();
    expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${shop.url}/s/${sale}`,
    );
  });

  it("show the address of a sale as a QR code, which only those load who ask for it", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const sale = await shop.sale();
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (/qr_code.*\.js$/.test(request.url())) scripts.push(request.url());
    });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.state("idle");
    expect(scripts).toEqual([]);
    await visitor.press("QR code");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("img", { name: "QR code" }).waitFor();
    expect(scripts).toHaveLength(1);
    await dialog.getByText(`${shop.url}/s/${sale}`).waitFor();
    await visitor.look("sale-qr");
    await dialog.getByRole("button", { name: "Copy link" }).click();
    await dialog.getByRole("button", { name: "Link copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${shop.url}/s/${sale}`);
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save picture" }).click();
    const picture = readFileSync((await (await saved).path())!, "utf8");
    expect(picture).toContain((await dialog.locator("svg.qr-code path").getAttribute("d"))!);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  it("hand on an address that has a preview, and leads to the sale", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    const head = await (await visitor.context.request.get(`${shop.url}/s/${sale}`)).text();
    expect(head).toContain('property="og:title" content="Celadon tea set · 青瓷茶具"');
    expect(head).toContain(`property="og:image" content="${shop.url}/assets/demo/tea-set.svg"`);
    await visitor.open(`/s/${sale}`);
    await page.waitForURL(`${shop.url}/sale?id=${sale}`);
    await visitor.state("idle");
  });

  it("use the device's own way to share, where it has one", async ({ shop, visitor }) => {
    const sale = await shop.sale();
    await visitor.page.addInitScript(() => {
      (Navigator.prototype as any).share = async (what: unknown) => ((window as any).shared = what);
    });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press("Share");
    await expect
      .poll(() => visitor.page.evaluate(() => (window as any).shared))
      .toEqual({ title: "Celadon tea set · 青瓷茶具", url: `${shop.url}/s/${sale}` });
  });

  it("tell people in words that an address does not exist", async ({ visitor }) => {
    visitor.serverIsDown(true); // the browser notes the 404
    const answer = await visitor.page.goto("/nothing");
    expect(answer!.status()).toBe(404);
    await visitor.page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await visitor.look("missing");
    visitor.serverIsDown(false);
    await visitor.page.getByRole("link", { name: "All sales" }).click();
    await visitor.page.getByRole("heading", { name: "Flash sales" }).waitFor();
  });

  it("print a receipt without what belongs to the screen", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const order = await shop.orderFor(buyer);
    await shop.pay(buyer);
    await visitor.open(`/order?id=${order}`);
    await page.getByText("It is yours").waitFor();
    await page.evaluate(() => ((window as any).print = () => ((window as any).printed = true)));
    await visitor.press("Print the receipt");
    expect(await page.evaluate(() => (window as any).printed)).toBe(true);
    await page.emulateMedia({ media: "print" });
    await page.getByText("Li Na 李娜").last().waitFor();
    expect(await page.locator(".masthead").isVisible()).toBe(false);
    expect(await page.getByText(order).isVisible()).toBe(true);
    await page.screenshot({ path: "../build/screenshots/receipt.png", fullPage: true });
    await page.emulateMedia({ media: "screen" });
  });
});
