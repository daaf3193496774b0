import { describe, expect } from "vitest";

import { Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("shopper");

const buyButton = /^Buy for/;
const buyable = ".purchase button.hot:not([disabled])";

// Without waiting for the page to be at rest, as a person in a hurry does.
const pressAtOnce = (button: string) => document.querySelector<HTMLElement>(button)?.click();

// We cannot read the picture. One sum in sixty comes to 7, and a wrong answer gets another sum.
async function answerUntilItIsRight() {
  const drawn = () => new Promise(requestAnimationFrame);
  const find = <Part extends Element>(part: string) => document.querySelector<Part>(part);
  let answered = "";
  while (!find('[data-state="ordered"]')) {
    const picture = find<HTMLImageElement>(".purchase img")?.src ?? answered;
    if (picture !== answered) {
      answered = picture;
      const field = find<HTMLInputElement>("#answer")!;
      field.value = "7";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await drawn();
      field.form!.requestSubmit();
    }
    await drawn();
  }
}

const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe("a purchase", () => {
  it("goes from the button to the order, and is there after a reload", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.state("idle");
    await visitor.look("sale-open");
    await visitor.press(buyButton);
    await visitor.state("ordered");
    await visitor.look("sale-ordered");
    await visitor.page.reload();
    await visitor.state("ordered");
    await visitor.page.getByRole("link", { name: "See the order" }).click();
    await visitor.page.getByText("Pay within").waitFor();
    await visitor.look("order-pending");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
    expect(await shop.stock(sale)).toMatchObject({ left: 9, held: 1 });

    await visitor.open("/orders");
    await visitor.page.locator(".orders li").waitFor();
    await visitor.look("orders");
  });

  it("needs no mouse, and the focus is never lost", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    const tabTo = async (label: RegExp) => {
      for (let i = 0; i < 20 && !label.test(await focused()); i++) await page.keyboard.press("Tab");
      expect(await focused()).toMatch(label);
    };
    const sale = await shop.sale({ stock: 1 });
    await visitor.open(`/sale?id=${sale}`);
    await page.locator(buyable).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await tabTo(buyButton);
    await page.keyboard.press("Enter");
    await visitor.state("ordered");
    expect(await focused()).toContain("You got it!");
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Pay /);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Cancel the order");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(/^Yes, cancel it$/);
    await page.keyboard.press("Enter");
    await page.getByText("You cancelled this order").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor(); // when the unit is back at any node
    await tabTo(/^Try again$/);
    await page.keyboard.press("Enter");
    await page.getByText("You got it!").waitFor();
    expect(await shop.ordersOf(buyer)).toHaveLength(2);
  });

  it("asks who is not logged in to log in, and comes back", async ({ browser, shop, buyer }) => {
    const sale = await shop.sale();
    const stranger = await Visitor.enter(browser, shop);
    await stranger.open(`/sale?id=${sale}`);
    await stranger.page.getByRole("link", { name: "Log in to buy" }).click();
    await stranger.page.waitForURL(/\/login\?to=/);
    await stranger.page.getByLabel("Phone").fill(buyer);
    await stranger.page.getByLabel("Password").fill("correct horse battery");
    await stranger.press("Log in");
    await stranger.page.waitForURL(new RegExp(`/sale\\?id=${sale}`));
    await stranger.press(buyButton);
    await stranger.state("ordered");
    await stranger.leave();
  });

  it("is cancelled by its buyer, who asks again", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ stock: 1 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("ordered");
    await visitor.press("Cancel the order");
    await visitor.page.getByRole("dialog").waitFor();
    await visitor.look("sale-cancel-sure");
    await visitor.press("Yes, cancel it");
    await visitor.page.getByText("You cancelled this order").waitFor();
    await visitor.look("sale-cancelled");
    await visitor.press("Try again");
    await visitor.page.getByText("You got it!").waitFor();
    expect((await shop.ordersOf(buyer)).map((order) => order.state).sort()).toEqual([
      "cancelled",
      "pending",
    ]);
  });

  it("computes its proof of work", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ challenge: "pow", challenge_bits: 16 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("shows its progress for as long as it takes, and survives a reload meanwhile", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale({ challenge: "pow", challenge_bits: 28 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("working");
    await visitor.page.getByRole("progressbar").waitFor();
    await visitor.look("sale-working");
    await visitor.page.reload();
    await visitor.state("working");
    expect(await shop.ordersOf(buyer)).toHaveLength(0);
  });

  it("shows a sum, takes no wrong answer, and goes on after a right one", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale({ challenge: "math" });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("asked");
    const picture = visitor.page.locator('.purchase img[src^="data:image/png"]');
    await picture.waitFor();
    await visitor.look("sale-sum");
    const first = await picture.getAttribute("src");
    await visitor.page.getByLabel("What is the result?").fill("9999");
    await visitor.press("Answer and buy");
    await visitor.page.getByText("That was not it").waitFor();
    expect(await picture.getAttribute("src")).not.toBe(first);

    await visitor.page.evaluate(answerUntilItIsRight);
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("computes for whoever cannot read the sum, by the keyboard alone", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const both = { challenge: "math", challenge_alternative: "pow", challenge_bits: 16 };
    const sale = await shop.sale(both);
    const { page } = visitor;
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(buyButton);
    await visitor.state("asked");
    await visitor.look("sale-sum-or-work");
    // From the answer, where the focus is: send, another picture, the way around it.
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    expect(await focused.textContent()).toBe("I cannot read this");
    await page.keyboard.press("Enter");
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("is one, however often the button is pressed", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ limit_per_buyer: 5 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.locator(buyable).waitFor();
    for (let i = 0; i < 5; i++) void visitor.page.evaluate(pressAtOnce, buyable);
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });

  it("is one in two tabs, and the other tab sees it", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ limit_per_buyer: 5 });
    const other = await visitor.tab();
    await Promise.all([visitor.open(`/sale?id=${sale}`), other.goto(`/sale?id=${sale}`)]);
    const both = [visitor.page, other];
    await Promise.all(both.map((page) => page.locator(buyable).waitFor()));
    await Promise.all(both.map((page) => page.evaluate(pressAtOnce, buyable)));
    await Promise.all([visitor.state("ordered"), visitor.state("ordered", other)]);
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });
});

describe("a sale that cannot be bought from", () => {
  it("opens at the server's second, whatever the device's clock says", async ({
    browser,
    shop,
    buyer,
  }) => {
    const opens = Date.now() + 6000;
    const sale = await shop.sale({ starts_at: new Date(opens).toISOString() });
    const visitor = await Visitor.enter(browser, shop, {
      clockAheadMilliseconds: 3 * 3_600_000,
    });
    await visitor.logIn(buyer);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: /^Opens at/ }).waitFor();
    expect(await visitor.page.locator(".countdown.tiles").innerText()).toMatch(/00[\s\S]*0\d/);
    const button = visitor.page.getByRole("button", { name: buyButton });
    await button.click();
    expect(Date.now()).toBeGreaterThanOrEqual(opens - 50);
    await visitor.state("ordered");
    await visitor.leave();
  });

  it("counts down to its start", async ({ shop, visitor }) => {
    const sale = await shop.sale({ starts_at: soon(3_600_000) });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: /^Opens at/ }).waitFor();
    await visitor.look("sale-scheduled");
    await visitor.page.reload();
    await visitor.page.getByRole("button", { name: /^Opens at/ }).waitFor();
  });

  it("is sold out, and opens again by itself when it is restocked", async ({ shop, visitor }) => {
    const sale = await shop.sale({ stock: 1 });
    await shop.buy(sale, shop.mint(1)[0]!);
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press("Tell me when one comes back");
    await visitor.page.getByText("Units may come back: 1 is held").waitFor();
    await visitor.look("sale-sold-out");
    await shop.operate(sale, "restock", { delta: 3 });
    await visitor.page.getByText("Units are back").first().waitFor();
    await visitor.look("sale-reopened");
    await visitor.press(buyButton);
    await visitor.state("ordered");
  });

  it("is sold out under the button", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ stock: 1 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: buyButton }).waitFor();
    // The page must not hear of it before its button is pressed.
    await visitor.page.route(`**/api/v1/sales/${sale}`, (route) => route.abort());
    visitor.serverIsDown(true);
    await shop.buy(sale, shop.mint(1)[0]!);
    await visitor.press(buyButton);
    await visitor.state("refused");
    await visitor.page.getByText("Sold out").first().waitFor();
    expect(await shop.ordersOf(buyer)).toHaveLength(0);
  });

  it("of more than is left says how many there are, and goes on with fewer", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 3, limit_per_buyer: 3 });
    await visitor.open(`/sale?id=${sale}`);
    await page.getByLabel("How many").selectOption("3");
    // The page has not heard of it yet.
    const json = await shop.ask(`/sales/${sale}`);
    await page.route(`**/api/v1/sales/${sale}`, (route) => route.fulfill({ json }));
    await shop.buy(sale, shop.mint(1)[0]!);
    await visitor.press(buyButton);
    await visitor.state("refused");
    await page.unroute(`**/api/v1/sales/${sale}`);
    await page.getByText("Only 2 are left").waitFor();
    expect(await page.getByLabel("How many").locator("option").count()).toBe(2);
    await page.getByLabel("How many").selectOption("2");
    await visitor.press(buyButton);
    await visitor.state("ordered");
    expect(await shop.ordersOf(buyer)).toMatchObject([{ quantity: 2 }]);
  });

  it("is paused, and goes on by itself", async ({ shop, visitor }) => {
    const sale = await shop.sale();
    await shop.operate(sale, "pause");
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByText("The sale is paused").waitFor();
    await visitor.look("sale-paused");
    await shop.operate(sale, "resume");
    await visitor.press(buyButton);
    await visitor.state("ordered");
  });

  it("is over", async ({ shop, visitor }) => {
    const sale = await shop.sale();
    await shop.operate(sale, "end");
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByText("The sale is over").waitFor();
    await visitor.look("sale-ended");
  });

  it("has a limit, which is told with the order that reached it", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.page.getByRole("button", { name: buyButton }).waitFor();
    await shop.buy(sale, await shop.logIn(buyer));
    await visitor.press(buyButton);
    await visitor.state("ordered");
    await visitor.page.getByText("as many as this sale allows one buyer").waitFor();
    await visitor.look("sale-limit");
    expect(await shop.ordersOf(buyer)).toHaveLength(1);
  });
});
