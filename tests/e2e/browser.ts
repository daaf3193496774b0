// A visitor's browser, with an eye on all that must never happen in it.

import { readFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

import { password, root, type Shop } from "./shop";

const executablePath = process.env.SLUICE_CHROMIUM ?? "/usr/bin/chromium";
const screenshots = join(root, "build/screenshots");
const axe = readFileSync(
  createRequire(join(root, "web/package.json")).resolve("axe-core/axe.min.js"),
  "utf8",
);
export const patience = 30_000;

export const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
// A phone with the bars of its browser on the screen.
export const smallPhone = { width: 390, height: 664 };
const walls = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];

// Each page and state in these; the rules of accessibility are held against both colour schemes.
const looks = [
  { size: desktop, language: "en", colorScheme: "light", check: true },
  { size: phone, language: "zh", colorScheme: "dark", check: true },
  { size: phone, language: "en", colorScheme: "light", check: false },
  { size: desktop, language: "zh", colorScheme: "dark", check: false },
] as const;

export function launch(): Promise<Browser> {
  mkdirSync(screenshots, { recursive: true });
  // Chromium's own sandbox does not run as root, as in a container.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

type Options = {
  language?: "en" | "zh";
  size?: typeof desktop;
  clockAheadMilliseconds?: number;
};

export class Visitor {
  readonly troubles: string[] = [];
  private down = false;

  private constructor(
    readonly shop: Shop,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async enter(browser: Browser, shop: Shop, options: Options = {}): Promise<Visitor> {
    const { language = "en", size = desktop, clockAheadMilliseconds = 0 } = options;
    const context = await browser.newContext({
      baseURL: shop.url,
      locale: language === "zh" ? "zh-CN" : "en-GB",
      viewport: size,
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(patience);
    if (clockAheadMilliseconds !== 0)
      await context.addInitScript(shiftClock, clockAheadMilliseconds);
    await context.addInitScript(() =>
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
      ),
    );
    const visitor = new Visitor(shop, context, await context.newPage());
    visitor.watch(visitor.page);
    return visitor;
  }

  // Another tab of the same browser.
  async tab(): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    return page;
  }

  // While the server is down, a request that fails is no trouble.
  serverIsDown(down: boolean): void {
    this.down = down;
  }

  private watch(page: Page): void {
    const own = (url: string) => /^(data|blob):/.test(url) || url.startsWith(`${this.shop.url}/`);
    page.on("pageerror", (error) => this.troubles.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (!own(request.url())) this.troubles.push(`third party: ${request.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      // The browser notes every refusal of the API and every lost connection; the pages tell them
      // to the shopper.
      const noted = message.text().startsWith("Failed to load resource");
      const api = /\/(api\/v1|readyz|metrics)/.test(message.location().url);
      if (noted && (this.down || (api && !message.text().includes("net::")))) return;
      if (this.down && message.text().startsWith("WebSocket connection to")) return;
      this.troubles.push(`console: ${message.text()} ${message.location().url}`);
    });
  }

  async logIn(who: string): Promise<void> {
    const answer = await this.context.request.post(`${this.shop.url}/api/v1/sessions`, {
      data: { phone: who, password },
    });
    const { user } = await answer.json();
    await this.page.goto("/login");
    await this.page.evaluate(
      (known) => localStorage.setItem("sluice.user", JSON.stringify(known)),
      user,
    );
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  // Waits until the purchase is in this state. On a phone all of it may be in the bar at the edge.
  async state(name: string, page = this.page): Promise<void> {
    await page.locator(`.purchase[data-state="${name}"]`).waitFor({ state: "attached" });
  }

  press(name: string | RegExp, page = this.page): Promise<void> {
    return page.getByRole("button", { name }).first().click();
  }

  // Presses a button that asks first, and says yes.
  async sure(deed: string, yes = deed): Promise<void> {
    await this.press(deed);
    const dialog = this.page.getByRole("dialog");
    await dialog.waitFor();
    await dialog.getByRole("button", { name: yes, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  }

  // Pictures of what is there, and no rule of accessibility broken.
  async look(name: string, page = this.page): Promise<void> {
    for (const { size, language, colorScheme, check } of looks) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await this.speak(language, page);
      if (check) await this.checkAccess(`${name} ${size.width} ${language}`, page);
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({
        path: join(screenshots, `${name}-${size.width}-${language}.png`),
        fullPage: true,
      });
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider, `${name} is wider than ${size.width}`).toBe(0);
    }
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: "light" });
    await this.speak("en", page);
  }

  // Pictures of what is on the screen, without scrolling.
  async glance(name: string): Promise<void> {
    for (const { language, colorScheme } of looks.slice(0, 2)) {
      await this.page.emulateMedia({ colorScheme });
      await this.speak(language);
      await this.page.screenshot({ path: join(screenshots, `${name}-${language}.png`) });
    }
    await this.page.emulateMedia({ colorScheme: "light" });
    await this.speak("en");
  }

  // At the size of a screen on a wall, where nobody scrolls.
  async lookAtWall(name: string): Promise<void> {
    for (const size of walls) {
      await this.page.setViewportSize(size);
      await this.page.screenshot({ path: join(screenshots, `${name}-${size.width}.png`) });
      const cut = await this.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll(".panel")]
          .filter((part) => part.scrollHeight > part.clientHeight)
          .map((part) => part.className),
      );
      expect(cut, `${name} at ${size.width}`).toEqual([]);
    }
    await this.look(name);
  }

  async speak(language: "en" | "zh", page = this.page): Promise<void> {
    // By script: a dialog that is open covers the button.
    await page.evaluate((wanted) => {
      document.querySelector<HTMLElement>(`header [lang^="${wanted}"]`)?.click();
    }, language);
    await page.waitForFunction(
      (wanted) => document.documentElement.lang.startsWith(wanted),
      language,
    );
    await page.waitForLoadState();
  }

  async checkAccess(what: string, page = this.page): Promise<void> {
    await page.evaluate(axe);
    const broken = await page.evaluate(async () => {
      const found = await (window as any).axe.run(document, {
        resultTypes: ["violations"],
      });
      return found.violations.map((violation: any) => ({
        rule: violation.id,
        where: violation.nodes
          .slice(0, 3)
          .map((node: any) => `${node.target} ${node.failureSummary}`),
      }));
    });
    expect(broken, what).toEqual([]);
  }

  async leave(): Promise<void> {
    // A page may ask for something as it is left. The answer is gone before its handler has read it.
    const ended = { behavior: "ignoreErrors" } as const;
    await Promise.all(this.context.pages().map((page) => page.unrouteAll(ended)));
    await this.context.close();
    expect(this.troubles).toEqual([]);
  }
}

function shiftClock(ahead: number): void {
  const RealDate = Date;
  const shifted = function (this: unknown, ...given: unknown[]) {
    if (!new.target) return new RealDate(RealDate.now() + ahead).toString();
    return given.length === 0
      ? new RealDate(RealDate.now() + ahead)
      : new (RealDate as any)(...given);
  } as unknown as DateConstructor;
  Object.assign(shifted, { parse: RealDate.parse, UTC: RealDate.UTC });
  (shifted as any).prototype = RealDate.prototype;
  shifted.now = () => RealDate.now() + ahead;
  (globalThis as any).Date = shifted;
}
