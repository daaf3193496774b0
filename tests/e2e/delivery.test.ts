import { describe, expect } from "vitest";

import { Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("shopper");

const everything = { name: "required", phone: "required", address: "required", note: "optional" };

describe("an order that is paid", () => {
  it("is told where it goes, is sent, and is followed by its number", async ({
    browser,
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    const operator = await Visitor.enter(browser, shop);
    await operator.logIn(shop.operatorPhone);

    // The shop says what it wants to know.
    await operator.open("/console/limits");
    await operator.press("Change what is asked for");
    const dialog = operator.page.getByRole("dialog");
    for (const [name, asked] of Object.entries(everything))
      await dialog.locator(`select[name="${name}"]`).selectOption(asked);
    await operator.look("console-contact-fields-change");
    await dialog.getByRole("button", { name: "Save" }).click();
    await operator.page.getByRole("cell", { name: "Required" }).nth(2).waitFor();
    await operator.look("console-contact-fields");

    // The purchase asks for nothing; the paid order does.
    const sale = await shop.sale();
    await shop.buy(sale, await shop.logIn(buyer));
    await shop.pay(buyer);
    const [order] = await shop.ordersOf(buyer);
    await visitor.open(`/order?id=${order!.id}`);
    await page.getByText("The shop needs to know where it goes").waitFor();
    await visitor.look("order-contact-missing");
    await page.getByLabel("Recipient").fill("李雷 🎁");
    await page.getByLabel("Phone for the delivery").fill("call me");
    await page.getByLabel("Address").fill("1 Main St\nBeijing");
    await visitor.press("Save");
    await page.getByText(/digits/).waitFor();
    await page.getByLabel("Phone for the delivery").fill("139 0000 0001");
    await visitor.press("Save");
    await page.getByRole("button", { name: "Change it" }).waitFor();
    await visitor.look("order-contact");

    // Staff see it, and send the order.
    await operator.open(`/console/order?id=${order!.id}`);
    await operator.page.getByText("李雷 🎁").waitFor();
    await operator.press("Change the delivery");
    await operator.page.getByRole("dialog").locator('select[name="state"]').selectOption("shipped");
    await operator.page.getByLabel("Carrier").fill("顺丰");
    await operator.page.getByLabel("Tracking number").fill("单号");
    await operator.page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await operator.page.getByText(/letters \(A to Z\)/).waitFor();
    await operator.look("console-delivery-wrong");
    await operator.page.getByLabel("Tracking number").fill("SF-0012");
    await operator.page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await operator.page.getByText("SF-0012").waitFor();
    await operator.look("console-delivery");
    await operator.open("/console/orders?delivery=shipped");
    await operator.page.getByRole("row").filter({ hasText: "Shipped" }).waitFor();
    await operator.look("console-orders-shipped");

    // The buyer follows it.
    await page.reload();
    await page.getByText("On its way").waitFor();
    await page.getByText("SF-0012").waitFor();
    await visitor.press("Copy the number");
    await page.getByRole("button", { name: "Number copied" }).waitFor();
    await visitor.look("order-shipped");
    expect(await page.getByRole("button", { name: "Change it" }).count()).toBe(0);
    await visitor.open("/orders");
    await page.getByText("On its way").waitFor();
    await visitor.look("orders-shipped");
    await operator.leave();
  });

  it("takes over what was stored, which its buyer can take away and erase", async ({
    shop,
    buyer,
    visitor,
  }) => {
    const { page } = visitor;
    await shop.askBuyersFor(everything);
    await visitor.open("/account");
    await page.getByLabel("Recipient").fill("Han Meimei");
    await page.getByLabel("Address").fill("2 Side St");
    await page.getByLabel("Phone for the delivery").fill("+86 10 6552 9988");
    await visitor.press("Save");
    await page.getByText("Saved.").waitFor();
    await visitor.look("account-contact");

    await shop.buy(await shop.sale(), await shop.logIn(buyer));
    await shop.pay(buyer);
    const [order] = await shop.ordersOf(buyer);
    await visitor.open(`/order?id=${order!.id}`);
    expect(await page.getByLabel("Recipient").inputValue()).toBe("Han Meimei");
    await visitor.press("Save");
    await page.getByRole("button", { name: "Change it" }).waitFor();

    await visitor.open("/account");
    const taken = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download all my data" }).click();
    expect((await taken).suggestedFilename()).toBe("my-data.json");
    await visitor.press("Erase my contact details");
    await visitor.look("account-erase");
    await visitor.press("Erase");
    await page.getByText("Erased.").waitFor();
    expect(await page.getByLabel("Recipient").inputValue()).toBe("");
  });
});
