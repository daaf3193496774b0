// Accounts before the pages: codes to phones, a forgotten password, one's own password, the second factor.

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";

import { launch, Visitor } from "./browser";
import { password, Shop } from "./shop";

const fresh = "a quite different horse";

// RFC 6238, as an authenticator does it.
function totp(secret: string, step: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((c) => alphabet.indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const text = Buffer.alloc(8);
  text.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(text).digest();
  const word = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(word % 1_000_000).padStart(6, "0");
}

const stepNow = () => Math.floor(Date.now() / 30_000);

// Afterwards the page goes to the front page by itself.
async function logOut(visitor: Visitor): Promise<void> {
  await Promise.all([visitor.page.waitForEvent("load"), visitor.press("Log out")]);
}

describe("accounts", () => {
  let browser: Browser;
  let shop: Shop;

  beforeAll(async () => {
    browser = await launch();
    shop = await Shop.open(
      ...["--set", "sms.provider=sandbox"],
      ...["--set", "accounts.verify_phone=true"],
      ...["--set", "accounts.second_factor=required"],
      ...["--set", "accounts.country=CN"],
    );
  });
  afterAll(async () => {
    await shop.close();
    await browser.close();
  });

  async function newestCode(page: Page): Promise<string> {
    const answer = await page.request.get(`${shop.url}/sandbox/messages`);
    const { messages } = (await answer.json()) as { messages: { text: string }[] };
    return messages[0]?.text.match(/\d{6}/)?.[0] ?? "";
  }

  async function code(page: Page, before: string): Promise<string> {
    await page.getByText("A code is on its way to your phone.").waitFor();
    await expect.poll(() => newestCode(page)).not.toBe(before);
    return newestCode(page);
  }

  it("registers with a code, forgets the password and sets another", async () => {
    const visitor = await Visitor.enter(browser, shop);
    const { page } = visitor;
    await visitor.open("/register");
    await page.getByLabel("Phone").fill("137 1111 3333");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await visitor.press("Send code");
    const first = await code(page, "");
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await visitor.press("Register");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    await visitor.look("register-code");
    await page.getByLabel("Code", { exact: true }).fill(first);
    await visitor.press("Register");
    await page.waitForURL(`${shop.url}/`);
    await logOut(visitor);
    await visitor.open("/login");
    await page.getByRole("link", { name: "Forgotten your password?" }).click();
    await page.getByLabel("Phone").fill("+8613711113333");
    await visitor.press("Send code");
    const second = await code(page, first);
    await page.getByLabel("Code", { exact: true }).fill(second);
    await page.getByLabel("New password").fill("password1");
    await visitor.press("Set the password");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    await visitor.look("forgotten-wrong");
    await page.getByLabel("New password").fill(fresh);
    await visitor.press("Set the password");
    await page.getByText("The password is set.").waitFor();
    await visitor.look("forgotten-done");

    await visitor.open("/messages");
    await page.getByText(second).waitFor();
    await visitor.look("messages");
    await visitor.leave();
  });

  it("changes its own password", async () => {
    const visitor = await Visitor.enter(browser, shop);
    const { page } = visitor;
    await visitor.open("/account");
    await page.getByText("Log in to see your account").waitFor();
    await visitor.look("account-logged-out");
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Phone").fill("13711113333");
    await page.getByLabel("Password", { exact: true }).fill(fresh);
    await visitor.press("Log in");
    await page.waitForURL(/\/account/);
    await page.getByLabel("Present password").fill("not this one");
    await page.getByLabel("New password").fill(password);
    await visitor.press("Change the password");
    await page.locator(".wrong", { hasText: /./ }).first().waitFor();
    await visitor.look("account-wrong");
    await page.getByLabel("Present password").fill(fresh);
    await page.getByLabel("New password").fill(password);
    await visitor.press("Change the password");
    await page.getByText("The password is changed.").waitFor();
    await visitor.look("account-changed");
    await visitor.leave();
  });

  it("sets up a second factor, and the console opens", async () => {
    const visitor = await Visitor.enter(browser, shop);
    const { page } = visitor;
    const enter = async () => {
      await page.getByLabel("Phone").fill(shop.operatorPhone);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await visitor.press("Log in");
    };
    await visitor.open("/login?to=/console/users");
    await enter();
    await page.getByText("Set up your second factor").waitFor();
    await visitor.look("console-without-factor");
    await page.getByRole("main").getByRole("link", { name: "My account" }).click();
    const section = page.getByRole("region", { name: "Second factor" });
    await section.getByLabel("Password", { exact: true }).fill(password);
    await visitor.press("Set it up");
    const secret = await section.locator(".factor-secret").innerText();
    await section.locator("svg.qr-code").waitFor();
    await visitor.look("factor-scan");
    await section.getByLabel("Code of your authenticator").fill(totp(secret, stepNow()));
    await visitor.press("Switch it on");
    await section.locator(".recovery-codes li").nth(9).waitFor();
    await visitor.look("factor-recovery");
    await visitor.press("I have kept them");
    await section.getByText("10 recovery codes are left.").waitFor();
    await visitor.open("/console/users");
    await page.getByRole("heading", { name: "Users" }).first().waitFor();

    await logOut(visitor);
    await visitor.open("/login?to=/console/users");
    await enter();
    await page.getByLabel("Code of your authenticator").waitFor();
    await visitor.look("login-factor");
    await page.getByLabel("Code of your authenticator").fill("000000");
    await visitor.press("Log in");
    await page.locator(".notice.bad").waitFor();
    await page.getByLabel("Code of your authenticator").fill(totp(secret, stepNow() + 1));
    await visitor.press("Log in");
    await page.waitForURL(/\/console\/users/);
    await visitor.leave();
  });
});
