// A purchase on a small phone: what is to be pressed, and what came of it, is on the screen.

import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";

import { smallPhone } from "./browser";
import { stageOn } from "./stage";

const it = stageOn(smallPhone, "shopper");

async function onScreen(part: Locator): Promise<boolean> {
  const box = (await part.boundingBox())!;
  const covered = (await part.page().locator(".masthead").boundingBox())!.height;
  return box.y >= covered - 1 && box.y + box.height <= smallPhone.height + 1;
}

async function expectOnScreen(part: Locator): Promise<void> {
  await part.waitFor();
  await expect.poll(() => onScreen(part)).toBe(true);
}

describe("on a small phone", () => {
  it("buying, a payment that fails and one that works need no scrolling", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const button = (name: RegExp | string) => page.getByRole("button", { name, exact: true });
    const sale = await shop.sale({ limit_per_buyer: 3 });
    await visitor.open(`/sale?id=${sale}`);
    await visitor.state("idle");
    const masthead = (await page.locator(".masthead").boundingBox())!;
    expect(masthead.height).toBeLessThanOrEqual(60);
    await expectOnScreen(button(/^Buy for/));
    await visitor.glance("phone-open");

    await visitor.press(/^Buy for/);
    await visitor.state("ordered");
    await expectOnScreen(page.getByText("You got it!"));
    await expectOnScreen(button(/^Pay /));
    await visitor.glance("phone-ordered");

    await visitor.press(/^Pay /);
    await page.waitForURL(/\/sandbox\/pay\//);
    await visitor.press("Fail");
    await page.getByText("Failed. The shop is being told").waitFor();
    await page.getByRole("link", { name: "Back to the shop" }).press("Enter");
    await page.waitForURL(/\/sale\?id=/);
    await expectOnScreen(page.getByText("The payment failed"));
    await expectOnScreen(button(/^Pay /));
    await visitor.glance("phone-payment-failed");

    await visitor.open("/orders");
    await page.getByRole("link", { name: /Celadon/ }).click();
    await expectOnScreen(page.getByText("The payment failed"));
    await expectOnScreen(button(/^Pay /));
    await visitor.glance("phone-order");
    await visitor.press(/^Pay /);
    await page.waitForURL(/\/sandbox\/pay\//);
    await visitor.press("Pay");
    await page.getByText("Paid. The shop is being told.").waitFor();
    await page.getByRole("link", { name: "Back to the shop" }).press("Enter");
    await expectOnScreen(page.getByText("It is yours"));
    await visitor.glance("phone-paid");
  });

  it("a sum to solve and a sale that is not open yet are on the screen", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    await visitor.open(`/sale?id=${await shop.sale({ starts_at })}`);
    await expectOnScreen(page.getByRole("button", { name: /^Opens at/ }));
    const countdown = (await page.locator(".countdown.tiles").boundingBox())!;
    const bar = (await page.locator(".next-step").boundingBox())!;
    expect(countdown.y + countdown.height).toBeLessThanOrEqual(bar.y);
    await visitor.glance("phone-scheduled");

    await visitor.open(`/sale?id=${await shop.sale({ challenge: "math" })}`);
    await visitor.press(/^Buy for/);
    await visitor.state("asked");
    await expectOnScreen(page.getByLabel("What is the result?"));
    await visitor.glance("phone-sum");
  });

  it("nothing moves while a sale is loaded", async ({ shop, visitor }) => {
    await visitor.page.addInitScript(() => {
      (window as any).shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) (window as any).shifted += (entry as any).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await visitor.open(`/sale?id=${await shop.sale()}`);
    await visitor.state("idle");
    await visitor.page.locator(".picture img").waitFor();
    await visitor.page.waitForLoadState("networkidle");
    const shifted = await visitor.page.evaluate(() => (window as any).shifted as number);
    expect(shifted).toBeLessThan(0.02);
  });

  it("the rest of the masthead is in a menu", async ({ visitor }) => {
    const { page } = visitor;
    await visitor.open("/");
    await page.locator(".menu summary").click();
    await page.getByRole("button", { name: "中文" }).waitFor();
    await page.getByText("Server time").waitFor();
    await visitor.checkAccess("the menu");
    await visitor.glance("phone-menu");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "中文" }).isVisible()).toBe(false);
  });
});
