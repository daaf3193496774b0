// What the tests of a file start with: a browser and a server of their own, and for each test somebody
// new before the pages, in whose browser nothing may go wrong.

import type { Browser } from "playwright-core";
import { test } from "vitest";

import { desktop, launch, Visitor } from "./browser";
import { Shop } from "./shop";

// `buyer` is the phone of who is logged in, when that is a shopper.
type Stage = { browser: Browser; shop: Shop; buyer: string; visitor: Visitor };

type Who = "stranger" | "shopper" | "operator";

// On a desk. The options are the server's.
export function stage(who: Who, ...options: string[]) {
  return stageOn(desktop, who, ...options);
}

// On a screen of this size.
export function stageOn(size: typeof desktop, who: Who, ...options: string[]) {
  return test.extend<Stage>({
    browser: [
      async ({}, use) => {
        const browser = await launch();
        await use(browser);
        await browser.close();
      },
      { scope: "file" },
    ],
    shop: [
      async ({}, use) => {
        const shop = await Shop.open(...options);
        await use(shop);
        await shop.close();
      },
      { scope: "file" },
    ],
    buyer: async ({ shop }, use) => use(await shop.register()),
    visitor: async ({ browser, shop, buyer }, use) => {
      const visitor = await Visitor.enter(browser, shop, { size });
      if (who !== "stranger") await visitor.logIn(who === "operator" ? shop.operatorPhone : buyer);
      await use(visitor);
      await visitor.leave();
    },
  });
}
