import { describe, expect } from "vitest";

import { Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("shopper");

describe("an order", () => {
  it("is paid at the sandbox, and refunded by an operator", async ({
    browser,
    shop,
    buyer,
    visitor,
  }) => {
    const sale = await shop.sale();
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    await visitor.press(/^Pay /);
    await visitor.page.waitForURL(/\/sandbox\/pay\//);
    await visitor.page.getByRole("button", { name: "Pay", exact: true, disabled: false }).waitFor();
    await visitor.look("sandbox");
    await visitor.press("Pay");
    await visitor.page.getByText("Paid. The shop is being told.").waitFor();
    await visitor.page.getByRole("link", { name: "Back to the shop" }).press("Enter");
    await visitor.page.waitForURL(/\/sale\?id=/);
    await visitor.page.getByText("It is yours").waitFor();
    await visitor.look("sale-paid");
    const [order] = await shop.ordersOf(buyer);
    await visitor.open(`/order?id=${order!.id}`);
    await visitor.page.getByText("It is yours").waitFor();
    await visitor.look("order-paid");

    const operator = await Visitor.enter(browser, shop);
    await operator.logIn(shop.operatorPhone);
    await operator.open(`/console/order?id=${order!.id}`);
    await operator.press("Refund");
    await operator.page.getByRole("dialog").getByRole("button", { name: "Refund it" }).click();
    await operator.page.locator(".badge.refunded").waitFor();
    await operator.look("console-order");
    await operator.leave();
    await visitor.page.reload();
    await visitor.page.getByText("This order was refunded").waitFor();
    await visitor.look("order-refunded");
  });

  it("expires at its second, and its unit is for sale again", async ({ shop, buyer, visitor }) => {
    const sale = await shop.sale({ stock: 1, hold_seconds: 3 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    await visitor.page.getByText("The hold has run out").waitFor();
    await visitor.look("sale-expired");
    await visitor.press("Try again");
    await visitor.page.getByText("You got it!").waitFor();
    expect((await shop.ordersOf(buyer)).map((order) => order.state).sort()).toEqual([
      "expired",
      "pending",
    ]);
  });
});
